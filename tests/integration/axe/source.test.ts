import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "puppeteer";
import { readAxeSource } from "~/scan/rules/axe-source";
import { openIsolatedWorld, type IsolatedWorld } from "~/scan/page/isolated-world";
import { openBrowser } from "../../support/browser/browser";

/** Controls with a visible label that is part of their name by words, or is not. */
const LABELS = [
  ["Öffnungszeiten heute", "Öffnungszeiten"],
  ["Öffnungszeiten heute", "Öffnungszeit"],
  ["今日の営業時間を見る", "営業時間"],
  ["今日の営業時間を見る", "定休日"],
  ["Don't stop, play on", "play"],
] as const;

describe("axe-core with a segmenter of words that is made late", () => {
  let browser: Browser;
  let own: IsolatedWorld;
  let ours: IsolatedWorld;
  beforeAll(async () => {
    browser = await openBrowser();
    const page = await browser.newPage();
    const buttons = LABELS.map(([name, label]) => `<button aria-label="${name}">${label}</button>`).join("");
    await page.setContent(`<!doctype html><html lang="de"><title>Labels</title><main>${buttons}</main>`);
    const session = await page.createCDPSession();
    const { frameTree } = await session.send("Page.getFrameTree");
    [own, ours] = [await openIsolatedWorld(session, frameTree.frame.id), await openIsolatedWorld(session, frameTree.frame.id)];
    await own.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    await ours.call(countSegmenters);
    await ours.evaluate(readAxeSource().script);
  });
  afterAll(() => browser.close());

  it("makes none while it is loaded, and leaves the browser's own in its place", async () => {
    expect(await ours.call(() => (globalThis as unknown as Counted).made)).toBe(0);
    expect(await ours.call(() => new Intl.Segmenter("de", { granularity: "word" }).resolvedOptions().granularity)).toBe("word");
    expect(await ours.call(() => (globalThis as unknown as Counted).made)).toBe(1);
  });

  it("finds the same labels that are missing in names, and then has made one", async () => {
    const found = await ours.call(mismatches);
    expect(found).toEqual(await own.call(mismatches));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(LABELS.length);
    expect(await ours.call(() => (globalThis as unknown as Counted).made)).toBe(2);
  });
});

interface Counted {
  made: number;
}

function countSegmenters(): void {
  const counted = globalThis as unknown as Counted;
  counted.made = 0;
  const { Segmenter } = Intl;
  class CountedSegmenter extends Segmenter {
    constructor(...options: ConstructorParameters<typeof Segmenter>) {
      super(...options);
      counted.made += 1;
    }
  }
  Object.assign(Intl, { Segmenter: CountedSegmenter });
}

/** @returns selectors of the failed elements */
async function mismatches(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: { nodes: { target: string[] }[] }[] }> } };
  const { violations } = await axe.run({ runOnly: ["label-content-name-mismatch"] });
  return violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(" ")));
}
