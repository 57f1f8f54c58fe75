import { data } from "@remix-run/node";

/** For routes that take no forms. Remix would refuse them as well, but before the page around the error has its data. */
export function notAllowed(): never {
  throw data(null, { status: 405, headers: { Allow: "GET, HEAD" } });
}
