import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageAddress } from "~/findings/view/page-address";
import { displayAddress } from "~/findings/finding-views.server";
import { reachedBy } from "~/findings/page-address";
import { ClosedDialogs } from "~/reports/keyboard/closed-dialogs";
import { WalkList } from "~/reports/keyboard/walk-list";
import { WalkPicture } from "~/reports/keyboard/walk-picture";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["report", "check"] };
export const clientLoader = preloadNamespaces(["report", "check"]);

/** Path of the Tab key through a page: as a numbered picture, and in words. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, head, locale, readers, headers } = report;
  const pageId = readRowNumber(args.params.page);
  const page = await readers.reports.page(run.id, pageId);
  const walk = page && (await args.context.services.keyboardWalks.ofPage(run.id, pageId));
  if (!walk) throw data(null, { status: 404 });
  const t = textsOf(locale).getFixedT(null, "report");
  return data(
    {
      meta: await reportMeta(args, report, t("keyboard.title"), page.url),
      head,
      host: displayAddress(page.url),
      page: { id: page.id, url: page.url, reached: reachedBy(page), lang: knownLanguage(page.lang) },
      walk,
    },
    { headers },
  );
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Keyboard() {
  const { head, host, page, walk } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const { stops, count, isWhole, picture } = walk;
  return (
    <ReportFrame head={head} current="pages">
      <ReportHeading host={host}>{t("keyboard.heading")}</ReportHeading>
      <p className="lead">
        <PageAddress url={page.url} reached={page.reached} />
      </p>
      <p className="prose-line">{t("keyboard.lead", { count })}</p>
      <ClosedDialogs names={stops[0]?.closed ?? []} lang={page.lang} />
      {!isWhole && <p className="prose-line">{t("keyboard.notWhole")}</p>}
      <p className="prose-line">{t("keyboard.judge")}</p>
      <p>
        <Link to={`${head.base}/pages`}>{t("keyboard.allPages")}</Link>
      </p>
      <section aria-labelledby="walk-picture">
        <h2 id="walk-picture">{t("keyboard.picture")}</h2>
        {picture ? <WalkPicture walk={walk} picture={picture} src={`${head.base}/pages/${page.id}/keyboard/picture`} /> : <p>{t("keyboard.noPicture")}</p>}
      </section>
      <section aria-labelledby="walk-list">
        <h2 id="walk-list">{t("keyboard.list")}</h2>
        <WalkList walk={walk} lang={page.lang} />
        {count > stops.length && <p className="hint">{t("keyboard.more", { count: count - stops.length })}</p>}
      </section>
    </ReportFrame>
  );
}
