import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { textsOf } from "~/platform/i18n/i18n.server";
import { stopsInPicture } from "~/reports/keyboard/walk-view";
import { readableRun } from "~/reports/open-report.server";
import { numberedAnswer } from "~/reports/page-picture/numbered-answer.server";
import { readRowNumber } from "~/platform/http/row-number";

/** Picture of a page with the numbered stops of the Tab key and the path between them. */
export async function loader(args: LoaderFunctionArgs) {
  const { run, locale, headers } = await readableRun(args);
  const pageId = readRowNumber(args.params.page);
  const { keyboardWalks } = args.context.services;
  const [walk, image] = [await keyboardWalks.ofPage(run.id, pageId), await keyboardWalks.picture(run.id, pageId)];
  if (!walk?.picture || !image) throw data(null, { status: 404 });
  const marks = stopsInPicture(walk);
  const title = textsOf(locale).getFixedT(null, "report")("keyboard.pictureOf", { count: marks.length });
  return numberedAnswer({ size: walk.picture, marks, isPath: true, title, locale, image, headers, isSample: false });
}

export const action = methodNotAllowed;
