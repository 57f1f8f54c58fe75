import type { HeadersFunction } from "@remix-run/node";

/** Lets an action's headers, such as `Retry-After`, reach a browser without scripts. */
export const answerHeaders: HeadersFunction = ({ actionHeaders }) => actionHeaders;
