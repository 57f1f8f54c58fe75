/**
 * For routes that take no forms. Remix would refuse them as well, but before the page around the error has its data, and
 * where there is no page, as a fault of ours. Only a `Response` keeps its headers there.
 */
export function methodNotAllowed(): never {
  throw new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
}
