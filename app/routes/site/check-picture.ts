import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { PICTURE_TYPE } from "~/findings/evidence.server";

/** Picture of an element of a free check; its address is as secret as that of the check. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { id = "", rule = "", position = "" } = params;
  const image = /^\d{1,3}$/.test(position) && (await context.services.checks.picture(id, rule, Number(position)));
  if (!image) throw data(null, { status: 404 });
  return new Response(image, { headers: { "Content-Type": PICTURE_TYPE, "Cache-Control": "private, max-age=3600", "X-Robots-Tag": "noindex" } });
}

export const action = methodNotAllowed;
