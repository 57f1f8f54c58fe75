import { data, type LoaderFunctionArgs } from "@remix-run/node";

/** Any other address: a route of its own, so that the page around the error has its data. */
export function loader({ context }: LoaderFunctionArgs): never {
  const status = context.refusedWith ?? 404;
  // What pages can do at all; whether this one takes forms is not known any more.
  throw data(null, { status, headers: status === 405 ? { Allow: "GET, HEAD, POST" } : {} });
}

export const action = loader;

export default function NotFound() {
  return null;
}
