import { redirect } from "@remix-run/node";

/** Requested page of a list, from 1. */
export function pageOf({ url }: Pick<Request, "url">): number {
  const wanted = new URL(url).searchParams.get("part") ?? "";
  return /^\d{1,6}$/.test(wanted) ? Math.max(1, Number(wanted)) : 1;
}

/**
 * Number of pages of a list.
 * @throws a redirect to the last page if the address asks for a later one
 */
export function paginationOf(request: Pick<Request, "url">, total: number, perPart: number): number {
  const parts = Math.max(1, Math.ceil(total / perPart));
  if (pageOf(request) <= parts) return parts;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("part", String(parts));
  throw redirect(`${pathname}?${searchParams}`, 303);
}
