import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SharedFrame } from "~/components/history/shared-frame";
import { SharedOverview } from "~/components/history/shared-overview";
import { pageMeta } from "~/lib/page-meta";
import { overviewOf } from "~/models/report-overview.server";
import { notAllowed } from "~/lib/refusals";
import { openShared, sharedMeta } from "~/share-page.server";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["history", "report", "check", "runs"] };
export const clientLoader = textsFirst(["history", "report", "check", "runs"]);

export async function loader(args: LoaderFunctionArgs) {
  const report = await openShared(args);
  const { run, head, rules, locale, base, readers, headers } = report;
  const overview = await overviewOf(readers, run, rules, locale);
  const isUnchecked = run.stats.pages === run.stats.failedPages;
  return data({ meta: await sharedMeta(args, report), base, head, overview, isUnchecked }, { headers });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Shared() {
  const { base, head, overview, isUnchecked } = useLoaderData<typeof loader>();
  const { t } = useTranslation("check");
  return (
    <SharedFrame base={base} head={head} current="overview">
      {isUnchecked ? (
        <>
          <h1>{t("failure.heading")}</h1>
          <p className="lead">{t("failure.notClean")}</p>
        </>
      ) : (
        <SharedOverview base={base} head={head} {...overview} />
      )}
    </SharedFrame>
  );
}
