import type { TFunction } from "i18next";
import { lookedForBy } from "~/findings/rules/titles.server";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import type { CrawlFacts } from "~/scan/crawl/facts";
import type { CheckedPage } from "~/scan/types";
import type { RunFacts } from "./run";

type Texts = TFunction<["exports", "report", "check"]>;

export const exportTexts = (locale: Locale): Texts => textsOf(locale).getFixedT(null, ["exports", "report", "check"]);

/** Notes about a whole run for readers of its table, one sentence each. */
export function notesForReaders(run: RunFacts, t: Texts): string[] {
  const { status, excludedPaths = [], crawl, withheld, evidenceGone, acceptedUnknown, acceptedElements = 0 } = run;
  return [
    ...(status === "canceled" ? [t("report:overview.canceled")] : []),
    ...(status === "failed" ? [t("report:overview.brokenOff")] : []),
    ...(excludedPaths.length > 0 ? [t("note.excludedPaths", { paths: excludedPaths.join(", ") })] : []),
    ...(withheld ? [t("note.withheld", { version: withheld.inFull, rules: withheld.rules.join(", ") })] : []),
    ...(evidenceGone ? [t("report:frame.evidence.gone")] : []),
    ...(acceptedUnknown ? [t("report:frame.acceptedUnknown")] : []),
    ...(acceptedElements > 0 ? [t("note.accepted", { count: acceptedElements })] : []),
    ...(crawl ? crawlNotes(crawl, t) : []),
  ];
}

function* crawlNotes(crawl: CrawlFacts, t: Texts): Generator<string> {
  const { limited, maxPages, waiting, robots, disallowed, skipped, traps, sitemaps, stopped, timeLimit, ledElsewhere, elsewhere = [] } = crawl;
  const withAddress = (text: string, address: string) => t("note.withAddress", { text, address });
  if (limited) yield t("report:crawl.limited", { count: maxPages, waiting });
  if (timeLimit !== undefined) yield t("report:crawl.timeLimit", { count: timeLimit, waiting });
  if (stopped) yield t("report:crawl.stopped");
  if (ledElsewhere) yield t("report:crawl.ledElsewhere", { url: ledElsewhere });
  if (robots === "unreachable") yield t("report:crawl.robotsUnreachable");
  if (disallowed > 0) yield t("report:crawl.disallowed", { count: disallowed });
  if (skipped.excluded) yield t("report:crawl.excluded", { count: skipped.excluded });
  if (skipped.files > 0) yield t("report:crawl.files", { count: skipped.files });
  if (skipped.notPage > 0) yield t("report:crawl.notPage", { count: skipped.notPage });
  if (skipped.elsewhere > 0) yield t("report:crawl.elsewhere", { count: skipped.elsewhere });
  for (const { url, finalUrl } of elsewhere) yield t("note.elsewhere", { url, finalUrl });
  if (skipped.duplicate > 0) yield t("report:crawl.duplicate", { count: skipped.duplicate });
  if (skipped.overflow > 0) yield t("report:crawl.overflow", { count: skipped.overflow });
  for (const { kind, example } of traps) yield withAddress(t(`report:crawl.trap.${kind}`), example);
  if (sitemaps?.cut) yield t("report:crawl.sitemapCut");
  for (const { url } of sitemaps?.problems ?? []) yield withAddress(t("report:crawl.sitemapProblem"), url);
  if (sitemaps?.moreProblems) yield t("report:crawl.moreSitemaps", { count: sitemaps.moreProblems });
}

/** A part of a page that was not checked, in words; `address` of a frame. */
interface GapForReaders {
  text: string;
  ruleId?: string;
  address?: string;
}

/** All gaps of a page's check in the reader's language. */
export function* gapsForReaders({ partial, gaps }: CheckedPage, t: Texts, locale: Locale): Generator<GapForReaders> {
  const { frames, closedShadowRoots, resources, offline = 0, unopened = 0, concealed, unfinished, late, missing } = gaps;
  for (const ruleId of partial) yield { ruleId, text: t("gap.rule", { problem: lookedForBy(ruleId, locale).text }) };
  if (unfinished) yield { text: t("check:gaps.unfinished") };
  if (concealed) yield { text: t("check:gaps.concealed") };
  for (const why of late) yield { text: t(`check:gaps.late.${why}`) };
  if (missing) yield { text: t("check:gaps.missing", { selector: missing.selector, seconds: Math.round(missing.waitedMs / 1_000) }) };
  for (const address of frames) yield { address, text: t("gap.frame") };
  if (closedShadowRoots > 0) yield { text: t("check:gaps.closedShadowRoots", { count: closedShadowRoots }) };
  if (resources > 0) yield { text: t("check:gaps.resources", { count: resources }) };
  if (offline > 0) yield { text: t("check:gaps.offline", { count: offline }) };
  if (unopened > 0) yield { text: t("check:gaps.unopened", { count: unopened }) };
}
