import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Overview } from "~/reports/view/overview";
import { CheckOwnPage } from "~/reports/view/check-own-page";
import { ReportFrame } from "~/reports/view/report-frame";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { overviewOf } from "~/reports/overview.server";
import { pagePictureView } from "~/reports/page-picture/page-picture.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check", "runs", "fixes"] };
export const clientLoader = preloadNamespaces(["report", "check", "runs", "fixes"]);

/** The first page of a shared or sample report; the owner's first page is `run.tsx`. */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, head, rules, locale, readers, withheld, headers } = report;
  const t = textsOf(locale).getFixedT(null, "report");
  const name = t(head.reader === "sample" ? "reader.sample.name" : "reader.shared.name");
  return data(
    {
      meta: await reportMeta(args, report, name),
      head,
      overview: await overviewOf(readers, run, rules, locale, withheld),
      picture: await pagePictureView(report),
    },
    { headers },
  );
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ReportOverview() {
  const { head, overview, picture } = useLoaderData<typeof loader>();
  return (
    <ReportFrame head={head} current="overview">
      <Overview head={head} picture={picture} {...overview}>
        {head.reader === "sample" && <CheckOwnPage />}
      </Overview>
    </ReportFrame>
  );
}
