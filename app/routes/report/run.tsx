import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { Failure } from "~/reports/check/failure";
import { LockedReportView } from "~/reports/view/locked-report";
import { Overview } from "~/reports/view/overview";
import { NextScan } from "~/reports/view/next-scan";
import { ReportFrame } from "~/reports/view/report-frame";
import { RunProgressView } from "~/reports/view/run-progress";
import { NewRun } from "~/runs/view/new-run";
import { useHeadingFocus } from "~/ui/use-heading-focus";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { reloadOf } from "~/platform/http/reload";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { failedRun, foundSoFar, lockedReport, overviewOf, progressOf } from "~/reports/overview.server";
import { isOver } from "~/runs/run";
import { pagePictureView } from "~/reports/page-picture/page-picture.server";
import { ownRun } from "~/reports/own-report.server";
import { readReport, reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check", "runs", "fixes", "home"] };
export const clientLoader = preloadNamespaces(["report", "check", "runs", "fixes", "home"]);

const RELOAD_SECONDS = 30;

export async function loader(args: LoaderFunctionArgs) {
  const own = await ownRun(args);
  const { run, userId, locale, withheld } = own;
  const { services } = args.context;
  const t = textsOf(locale).getFixedT(null, "report");
  const meta = (part: string) => reportMeta(args, own, part);

  if (!isOver(run)) {
    const progress = await progressOf(services, run);
    const { done, known } = { done: progress.pages, known: progress.knownPages };
    const user = await args.context.visitor.user();
    const mail = run.scope === "site" && user ? { wanted: await services.finishedMails.isWanted(run.id), email: user.email, confirmed: user.emailVerified } : null;
    return data({
      state: "waiting" as const,
      // The tab's title shows the progress.
      meta: await meta(done > 0 ? t("part.waitingPages", { done, count: known }) : t(progress.status === "queued" ? "part.queued" : "part.waiting")),
      reload: reloadOf(args.request, `/run/${run.id}`, RELOAD_SECONDS),
      unattended: progress.status === "queued" && (await services.isUnattended()),
      progress: { ...progress, mail, soFar: await foundSoFar(services, run, locale) },
    });
  }
  if (run.stats.pages === run.stats.failedPages && run.status !== "canceled") {
    const failure = await failedRun(services, run);
    const freed = await services.purchases.hasFreedSlot(run.id);
    return data({ state: "failed" as const, meta: await meta(t("part.failed")), id: run.id, failure, freed });
  }
  const report = await readReport(own);
  const { head, rules } = report;
  if (!(await services.scanRequests.isUnlocked(userId, run))) {
    const locked = await lockedReport(services, run, rules, locale, withheld);
    return data({ state: "locked" as const, meta: await meta(t("locked.heading")), id: run.id, head, locked });
  }
  const overview = await overviewOf(services, run, rules, locale, withheld);
  return data({ state: "report" as const, meta: await meta(t("overview.heading")), id: run.id, head, overview, picture: await pagePictureView(report) });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Run() {
  const page = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  useHeadingFocus(page.state);
  switch (page.state) {
    case "waiting":
      return <RunProgressView {...page.progress} unattended={page.unattended} reload={page.reload} />;
    case "failed":
      return (
        <Failure {...page.failure}>
          {page.freed && <p>{t("failure.freed")}</p>}
          <DialogLink className="button" to={`/runs/new?again=${page.id}`} view={NewRun}>
            {t("failure.again")}
          </DialogLink>
        </Failure>
      );
    case "locked":
      return (
        <ReportFrame head={page.head} current={null}>
          <LockedReportView id={page.id} head={page.head} {...page.locked} />
        </ReportFrame>
      );
    case "report":
      return (
        <ReportFrame head={page.head} current="overview">
          <Overview head={page.head} picture={page.picture} {...page.overview}>
            <NextScan id={page.id} />
          </Overview>
        </ReportFrame>
      );
  }
}
