import { data, type LoaderFunctionArgs } from "@remix-run/node";

/** All other addresses: a separate route, so that the page around the error has its data. */
export function loader({ context }: LoaderFunctionArgs): never {
  if (context.failure) throw context.failure.thrown;
  const status = context.refused?.status ?? 404;
  // Methods of pages in general; whether this page accepts forms is unknown here.
  throw data(null, { status, headers: status === 405 ? { Allow: "GET, HEAD, POST" } : {} });
}

export const action = loader;

export default function NotFound() {
  return null;
}
