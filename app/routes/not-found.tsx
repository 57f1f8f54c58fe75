import { data, type LoaderFunctionArgs } from "@remix-run/node";

/** Any other address: a route of its own, so that the page around the error has its data. */
export function loader({ context }: LoaderFunctionArgs): never {
  throw data(null, { status: context.refusedWith ?? 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
