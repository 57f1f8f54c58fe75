import { readRowNumber } from "~/platform/http/row-number";
import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { PICTURE_TYPE, type ElementKey } from "~/findings/evidence.server";
import { readableRun } from "~/reports/open-report.server";
import { CATEGORIES, type Category } from "~/scan/types";

/** Picture of an element of a full report. */
export async function loader(args: LoaderFunctionArgs) {
  const { run, reader, readers, withheld, headers } = await readableRun(args);
  const key = elementKey(args.params);
  const image = key && !withheld.has(key.ruleId) && (await readers.evidence.picture(run.id, key));
  if (!image) throw data(null, { status: 404 });
  return new Response(image, {
    // After sign-out, no picture may remain in the browser's cache.
    headers: { "Content-Type": PICTURE_TYPE, "Cache-Control": reader === "sample" ? "max-age=3600" : "private, no-store", ...headers },
  });
}

export const action = methodNotAllowed;

/** Key of the element; undefined for invalid parameters. */
function elementKey({ page, category, rule, position }: LoaderFunctionArgs["params"]): ElementKey | undefined {
  const isCategory = (CATEGORIES as readonly (string | undefined)[]).includes(category);
  if (!isCategory || !rule) return undefined;
  return { pageId: readRowNumber(page), category: category as Category, ruleId: rule, position: readRowNumber(position) };
}
