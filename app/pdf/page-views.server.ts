import { helpOf } from "~/models/finding-views.server";
import { foreignText } from "~/lib/foreign-text";
import type { Page } from "~/models/page.server";
import type { FailedPage, PartialPage } from "./report-view";
import type { Words } from "./words.server";

const MAX_URL = 300;

/** Pages that could not be checked, each with the sentence that says why. */
export function failedPages(pages: Page[], { t }: Words): FailedPage[] {
  return pages
    .filter(({ status }) => status !== "succeeded")
    .map(({ url, reason, detail }) => ({
      url: foreignText(url, MAX_URL),
      reason: t(`check:reasons.${reason ?? "crashed"}.what`, {
        httpStatus: detail.httpStatus ?? "–",
        contentType: foreignText(detail.contentType ?? "–", 100),
      }),
    }));
}

/** Pages that were checked, but without all of their files: for others they may look different. */
export function incompletelyLoaded(pages: Page[]): number {
  return pages.filter(({ status, gaps }) => status === "succeeded" && gaps.resources > 0).length;
}

/** Pages of which something was left unchecked, with what. */
export function partialPages(pages: Page[], words: Words): PartialPage[] {
  return pages
    .filter(({ status }) => status === "succeeded")
    .map((page) => ({ url: foreignText(page.finalUrl ?? page.url, MAX_URL), missing: missingOf(page, words) }))
    .filter(({ missing }) => missing.length > 0);
}

function missingOf({ partial, gaps }: Page, { t, texts, fill, count, locale }: Words): string[] {
  const { frames, closedShadowRoots, concealed, unfinished } = gaps;
  const names = partial.map((ruleId) => helpOf({ ruleId, help: ruleId }, locale).text);
  return [
    ...(names.length > 0 ? [fill(texts.pages.rules, { rules: names.join("; ") })] : []),
    ...(unfinished ? [t("check:gaps.unfinished")] : []),
    ...(concealed ? [t("check:gaps.concealed")] : []),
    ...(frames.length > 0 ? [count(texts.pages.frames, frames.length)] : []),
    ...(closedShadowRoots > 0 ? [t("check:gaps.closedShadowRoots", { count: closedShadowRoots })] : []),
  ];
}
