import type { HeadersFunction } from "@remix-run/node";

/** Lets an action's headers, such as `Retry-After`, reach a browser without scripts. */
export const answerHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Lets the headers of a page's loader, such as `Cache-Control`, reach the browser. */
export const loadedHeaders: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
