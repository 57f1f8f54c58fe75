/**
 * 405 for routes without forms. Remix itself would answer before the data of the surrounding page is loaded, and with a server
 * error on routes without a page. Only a `Response` keeps its headers on the error page.
 */
export function methodNotAllowed(): never {
  throw new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
}
