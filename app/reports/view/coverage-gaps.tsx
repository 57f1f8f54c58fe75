import { useTranslation } from "react-i18next";
import { UnfinishedRules } from "~/reports/check/unfinished-rules";
import type { ReportGaps } from "~/reports/report-view";
import type { CrawlFacts } from "~/scan/crawl/facts";
import { OffsiteRedirects } from "./offsite-redirects";

/**
 * All known parts of the site that were not checked.
 *
 * @param inUse whether pages were also tested in use, without connection
 */
export function CoverageGaps({ gaps, crawl, inUse }: { gaps: ReportGaps; crawl: CrawlFacts | null; inUse: boolean }) {
  const { t } = useTranslation(["report", "check"]);
  const { partial, frames, closedShadowRoots, resources, offline, unopened, concealed, unfinished, late, missing } = gaps;
  return (
    <section aria-labelledby="not-looked-at" className="prose">
      <h2 id="not-looked-at">{t("check:gaps.heading")}</h2>
      <ul>
        {crawl && <CrawlGaps {...crawl} />}
        {unfinished > 0 && <li>{t("gaps.unfinished", { count: unfinished })}</li>}
        {concealed > 0 && <li>{t("gaps.concealed", { count: concealed })}</li>}
        {late.map(({ why, pages }) => (
          <li key={why}>{t(`gaps.late.${why}`, { count: pages })}</li>
        ))}
        {missing.map(({ selector, pages }) => (
          <li key={selector}>{t("gaps.missing", { count: pages, selector })}</li>
        ))}
        <UnfinishedRules text={t("gaps.partial")} rules={partial} />
        {frames > 0 && <li>{t("gaps.frames", { count: frames })}</li>}
        {closedShadowRoots > 0 && <li>{t("check:gaps.closedShadowRoots", { count: closedShadowRoots })}</li>}
        {resources > 0 && <li>{t("check:gaps.resources", { count: resources })}</li>}
        {offline > 0 && <li>{t("check:gaps.offline", { count: offline })}</li>}
        {unopened > 0 && <li>{t("check:gaps.unopened", { count: unopened })}</li>}
        {crawl && <li>{t(inUse ? "gaps.behindOffline" : "gaps.behind")}</li>}
        {!crawl && <li>{t(inUse ? "check:gaps.scopeOffline" : "check:gaps.scope")}</li>}
        <li>{t("check:gaps.documents")}</li>
      </ul>
    </section>
  );
}

function CrawlGaps({ limited, maxPages, waiting, robots, disallowed, skipped, traps, sitemaps, stopped, timeLimit, ledElsewhere, elsewhere = [] }: CrawlFacts) {
  const { t } = useTranslation("report");
  return (
    <>
      {limited && <li>{t("crawl.limited", { count: maxPages, waiting })}</li>}
      {timeLimit !== undefined && <li>{t("crawl.timeLimit", { count: timeLimit, waiting })}</li>}
      {stopped && <li>{t("crawl.stopped")}</li>}
      {ledElsewhere && <li>{t("crawl.ledElsewhere", { url: ledElsewhere })}</li>}
      {robots === "unreachable" && <li>{t("crawl.robotsUnreachable")}</li>}
      {disallowed > 0 && <li>{t("crawl.disallowed", { count: disallowed })}</li>}
      {skipped.excluded !== undefined && <li>{t("crawl.excluded", { count: skipped.excluded })}</li>}
      {skipped.files > 0 && <li>{t("crawl.files", { count: skipped.files })}</li>}
      {skipped.notPage > 0 && <li>{t("crawl.notPage", { count: skipped.notPage })}</li>}
      {skipped.elsewhere > 0 && (
        <li>
          {t("crawl.elsewhere", { count: skipped.elsewhere })} {elsewhere.length > 0 && t("crawl.elsewhereListed")}
          {elsewhere.length > 0 && <OffsiteRedirects addresses={elsewhere} />}
        </li>
      )}
      {skipped.duplicate > 0 && <li>{t("crawl.duplicate", { count: skipped.duplicate })}</li>}
      {skipped.overflow > 0 && <li>{t("crawl.overflow", { count: skipped.overflow })}</li>}
      {traps.map((trap, index) => (
        <li key={index}>
          {t(`crawl.trap.${trap.kind}`)} <span className="address">{trap.example}</span>
        </li>
      ))}
      {sitemaps?.cut && <li>{t("crawl.sitemapCut")}</li>}
      {sitemaps?.problems.map(({ url }) => (
        <li key={url}>
          {t("crawl.sitemapProblem")} <span className="address">{url}</span>
        </li>
      ))}
      {Boolean(sitemaps?.moreProblems) && <li>{t("crawl.moreSitemaps", { count: sitemaps?.moreProblems })}</li>}
    </>
  );
}
