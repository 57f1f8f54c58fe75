import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { textsOf } from "~/platform/i18n/i18n.server";
import { openReport } from "~/reports/open-report.server";
import { NumberedPicture } from "~/reports/page-picture/numbered-picture";
import { pagePictureView } from "~/reports/page-picture/page-picture.server";

/** Picture of a whole page with its numbers, in full size: an SVG document that holds the picture. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, reader, readers, locale, headers } = report;
  const view = await pagePictureView(report);
  const image = view && String(view.pageId) === args.params.page && (await readers.pagePictures.image(run.id, view.pageId));
  if (!view || !image) throw data(null, { status: 404 });
  const title = textsOf(locale).getFixedT(null, "report")("pagePicture.of", { count: view.marks.length });
  const markup = renderToStaticMarkup(<NumberedPicture view={view} title={title} locale={locale} image={Buffer.from(image).toString("base64")} />);
  return new Response(markup, {
    // Its title is in the reader's language, so that no cache may keep it.
    headers: { "Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": reader === "sample" ? "no-cache" : "private, no-store", ...headers },
  });
}

export const action = methodNotAllowed;
