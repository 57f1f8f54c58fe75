import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { PICTURE_TYPE } from "~/findings/evidence.server";
import { readableRun } from "~/reports/open-report.server";
import { readRowNumber } from "~/platform/http/row-number";

/** Picture of a page that was tested with the Tab key. */
export async function loader(args: LoaderFunctionArgs) {
  const { run, headers } = await readableRun(args);
  const image = await args.context.services.keyboardWalks.picture(run.id, readRowNumber(args.params.page));
  if (!image) throw data(null, { status: 404 });
  // After sign-out, no picture may remain in the browser's cache.
  return new Response(image, { headers: { "Content-Type": PICTURE_TYPE, "Cache-Control": "private, no-store", ...headers } });
}

export const action = methodNotAllowed;
