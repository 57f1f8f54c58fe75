import type { HeadersFunction } from "@remix-run/node";

/** Sends an action's headers, such as `Retry-After`, to browsers without scripts. */
export const answerHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Sends the headers of a page's loader, such as `Cache-Control`, to the browser. */
export const loadedHeaders: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
