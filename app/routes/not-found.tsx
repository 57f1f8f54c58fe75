import { data } from "@remix-run/node";

/** Any other address: a route of its own, so that the page around the error has its data. */
export function loader(): never {
  throw data(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
