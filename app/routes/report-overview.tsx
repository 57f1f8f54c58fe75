import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Overview } from "~/components/report/overview";
import { OwnPage } from "~/components/report/own-page";
import { ReportFrame } from "~/components/report/report-frame";
import { textsOf } from "~/lib/i18n.server";
import { pageMeta } from "~/lib/page-meta";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";
import { overviewOf } from "~/models/report-overview.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/report-page.server";

export const handle = { i18n: ["report", "check", "runs", "fixes"] };
export const clientLoader = textsFirst(["report", "check", "runs", "fixes"]);

/** The first page of a report that others read; its owner's is the run's (`run.tsx`). */
export async function loader(args: LoaderFunctionArgs) {
  const report = await openReport(args);
  const { run, head, rules, locale, readers, withheld, headers } = report;
  const t = textsOf(locale).getFixedT(null, "report");
  const name = t(head.reader === "sample" ? "reader.sample.name" : "reader.shared.name");
  return data(
    { meta: await reportMeta(args, report, name), head, overview: await overviewOf(readers, run, rules, locale, withheld) },
    { headers },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ReportOverview() {
  const { head, overview } = useLoaderData<typeof loader>();
  return (
    <ReportFrame head={head} current="overview">
      <Overview head={head} {...overview}>
        {head.reader === "sample" && <OwnPage />}
      </Overview>
    </ReportFrame>
  );
}
