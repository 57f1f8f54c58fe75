import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { HostilePages } from "./hostile/kinds";
import { HOSTILE_SEED } from "./hostile-seed";
import { repetitions } from "../repetitions";
import { seeded, shuffled } from "../seeded";
import { expectChecked, testScanner, WCAG22AA } from "./scanner";
import { openSite } from "./site";

const PAGE_SECONDS = 20;
/** Number of pages per kind in the usual run; the long run has all. */
const DRAWN = 5;

/**
 * Tests pages with attacks on interaction, for some rules: other results stay, nothing is sent, and rules that cannot check everything are named.
 * @param options.blameless rules that find nothing on any of the pages
 */
export function describeHostileOperation(what: string, pages: HostilePages, ruleIds: string[], { blameless = false } = {}): void {
  describe(`${what} (HOSTILE_SEED=${HOSTILE_SEED})`, () => {
    const all = Object.keys(pages);
    const names = shuffled(all, seeded(HOSTILE_SEED)).slice(0, repetitions(DRAWN, all.length));
    const pathOf = (name: string) => `/${names.indexOf(name)}`;
    const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: PAGE_SECONDS });
    let site: Awaited<ReturnType<typeof openSite>>;
    beforeAll(async () => {
      site = await openSite(Object.fromEntries(names.map((name) => [pathOf(name), pages[name]!.page])));
    });
    afterAll(async () => {
      await scanner.stop();
      await site.close();
    });

    it.concurrent.each(names)("%s", async (name) => {
      const { outcome } = pages[name]!;
      if (Array.isArray(outcome)) throw new Error("A page that is used is checked.");
      const page = expectChecked(await scanner.check({ url: site.url(pathOf(name)), standard: WCAG22AA, advanced: true, rules: { only: ["image-alt", ...ruleIds] } }));
      const found = page.findings.violations.map(({ ruleId }) => ruleId);
      expect(found).toContain("image-alt");
      if (blameless) expect(found).toEqual(["image-alt"]);
      expect(page.partial).toEqual(expect.arrayContaining(outcome.untried));
      expect(page.gaps).toMatchObject(outcome.gaps);
      expect(page.durationMs).toBeLessThan(PAGE_SECONDS * 1_000);
      expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
    });
  });
}
