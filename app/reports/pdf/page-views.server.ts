import { lookedForBy } from "~/findings/rules/titles.server";
import { failureReason, needsSignIn } from "~/findings/failure-reason";
import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import { reachedBy } from "~/findings/page-address";
import type { Page } from "~/runs/page.server";
import type { FailedPage, PartialPage } from "./report-view";
import type { Words } from "./words.server";

const MAX_URL = 300;

/** Pages that could not be checked, each with the reason as a sentence. */
export function failedPages(pages: Page[], words: Words): FailedPage[] {
  return pages
    .filter(({ status }) => status !== "succeeded")
    .map((page) => {
      const reason = failureReason(page);
      return {
        ...addressOf(page, words),
        needsSignIn: needsSignIn(reason),
        reason: words.t(`check:reasons.${reason.kind}.what`, {
          httpStatus: reason.httpStatus ?? "–",
          contentType: sanitizeUntrustedText(page.detail.contentType ?? "–", 100),
        }),
      };
    });
}

type AddressedPage = Pick<Page, "url" | "finalUrl"> & Partial<Pick<Page, "status" | "linkedFrom">>;

/** Address of a page, with its final address and, if it could not be checked, the page that links to it. */
export function addressOf({ url, finalUrl, status, linkedFrom }: AddressedPage, { t }: Words): { url: string; notes: string[] } {
  const reached = reachedBy({ url, finalUrl });
  const short = (address: string) => sanitizeUntrustedText(address, MAX_URL);
  return {
    url: short(url),
    notes: [
      ...(reached ? [t(reached.isOtherSite ? "common:address.reachedOtherSite" : "common:address.reached", { url: short(reached.url) })] : []),
      ...(status === "failed" && linkedFrom ? [t("common:address.linkedFrom", { url: short(linkedFrom) })] : []),
    ],
  };
}

/** Number of pages checked with missing files: other visitors may see them differently. */
export function incompletelyLoaded(pages: Page[]): number {
  return pages.filter(({ status, gaps }) => status === "succeeded" && gaps.resources > 0).length;
}

/** Pages that were checked in part, with the gaps. */
export function partialPages(pages: Page[], words: Words): PartialPage[] {
  return pages
    .filter(({ status }) => status === "succeeded")
    .map((page) => ({ ...addressOf(page, words), missing: missingOf(page, words) }))
    .filter(({ missing }) => missing.length > 0);
}

function missingOf({ partial, gaps }: Page, { t, texts, fill, count, locale }: Words): string[] {
  const { frames, closedShadowRoots, concealed, unfinished, late, missing } = gaps;
  const names = partial.map((ruleId) => lookedForBy(ruleId, locale).text);
  return [
    ...(names.length > 0 ? [fill(texts.pages.rules, { rules: names.join("; ") })] : []),
    ...(unfinished ? [t("check:gaps.unfinished")] : []),
    ...(concealed ? [t("check:gaps.concealed")] : []),
    ...late.map((why) => t(`check:gaps.late.${why}`)),
    ...(missing ? [t("check:gaps.missing", { selector: missing.selector, seconds: Math.round(missing.waitedMs / 1_000) })] : []),
    ...(frames.length > 0 ? [count(texts.pages.frames, frames.length)] : []),
    ...(closedShadowRoots > 0 ? [t("check:gaps.closedShadowRoots", { count: closedShadowRoots })] : []),
  ];
}
