import { redirect } from "@remix-run/node";

/** Requested page number of a list, from 1. */
export function pageNumberOf({ url }: Pick<Request, "url">): number {
  const wanted = new URL(url).searchParams.get("part") ?? "";
  return /^\d{1,6}$/.test(wanted) ? Math.max(1, Number(wanted)) : 1;
}

/**
 * Number of pages of a list.
 * @throws a redirect to the last page if the address asks for a later one
 */
export function pageCountOf(request: Pick<Request, "url">, total: number, perPage: number): number {
  const pageCount = Math.max(1, Math.ceil(total / perPage));
  if (pageNumberOf(request) <= pageCount) return pageCount;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("part", String(pageCount));
  throw redirect(`${pathname}?${searchParams}`, 303);
}
