/**
 * For routes without forms. Remix would also refuse them, but before the page around the error has its data, and on
 * routes without a page as a server error. Only a `Response` keeps its headers there.
 */
export function methodNotAllowed(): never {
  throw new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
}
