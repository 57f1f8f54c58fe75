import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Old addresses: runs were below `/runs`. */
export function loader({ params, request }: LoaderFunctionArgs) {
  return redirect(`/run/${encodeURIComponent(params.id ?? "")}${new URL(request.url).search}`, 301);
}

export const action = methodNotAllowed;
