import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { textsOf } from "~/platform/i18n/i18n.server";
import { markCentre } from "~/reports/keyboard/walk-view";
import { openReport } from "~/reports/open-report.server";
import { numberedAnswer } from "~/reports/page-picture/numbered-answer.server";
import { pagePictureView } from "~/reports/page-picture/page-picture.server";

/** Picture of a whole page with numbered violations. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, reader, readers, locale, headers } = report;
  const view = await pagePictureView(report);
  const image = view && String(view.pageId) === args.params.page && (await readers.pagePictures.image(run.id, view.pageId));
  if (!view || !image) throw data(null, { status: 404 });
  const marks = view.marks.map(({ box }, index) => ({ number: index + 1, box, ...markCentre(box, view) }));
  const title = textsOf(locale).getFixedT(null, "report")("pagePicture.of", { count: marks.length });
  return numberedAnswer({ size: view, marks, title, locale, image, headers, isSample: reader === "sample" });
}

export const action = methodNotAllowed;
