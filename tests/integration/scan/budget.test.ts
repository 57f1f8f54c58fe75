import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectChecked, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

/** Each element covers all others, and axe-core sorts all of them for each: hours for its `color-contrast`. */
const PILE = `<div style="position: relative">${Array.from(
  { length: 6_000 },
  (_, at) => `<span style="position: absolute; top: 0; z-index: ${at % 50}">text ${at}</span>`,
).join("")}</div>`;

describe("a page that takes longer than its time limit", () => {
  const scanner = testScanner({ concurrency: 1, pageSeconds: 12 });
  let site: Site;

  beforeAll(async () => {
    site = await openSite({
      "/pile": pageWith(PILE),
      "/pile-in-frame": pageWith('<iframe title="Pile" src="/pile"></iframe>'),
    });
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  it("keeps the results of all other rules, and names the unfinished one", async () => {
    const result = await scanner.check({ url: site.url("/pile"), standard: WCAG22AA });
    const { partial, gaps, findings, durationMs } = expectChecked(result);
    expect(partial).toContain("color-contrast");
    expect(violationsOf(result)).toEqual(["image-alt #bare"]);
    const decided = Object.values(findings).flatMap((list) => list.map(({ ruleId }) => ruleId));
    expect(decided).not.toContain("color-contrast");
    expect(decided).toEqual(
      expect.arrayContaining([
        "aria-roles",
        "html-has-lang",
        "no-autoplay-audio",
        "scrollable-region-focusable",
        "valid-lang",
      ]),
    );
    expect(durationMs).toBeLessThan(12_000);
    // The page's own scripts were not stopped.
    expect(gaps.unfinished).toBe(false);
  });

  it("keeps them in a frame too", async () => {
    const result = await scanner.check({ url: site.url("/pile-in-frame"), standard: WCAG22AA });
    const { partial, gaps } = expectChecked(result);
    expect(partial).toContain("color-contrast");
    expect(gaps.frames).toEqual([]);
    expect(violationsOf(result)).toEqual(["image-alt #bare", "image-alt iframe >> #bare"]);
  });
});
