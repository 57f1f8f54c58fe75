import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, it, type ExpectStatic } from "vitest";
import { EXAMPLE_KINDS, exampleDocument, guidedRules, ruleGuide, type ExampleKind } from "~/findings/rules/guide.server";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import { openBrowser } from "../../support/browser/browser";
import { testScanner } from "../../support/scan/scanner";
import { minutes } from "../../support/patience";
import { openSite, type Site } from "../../support/scan/site";
import { isOfSite, judgeExample } from "../../support/scan/judge-site";
import { needsScan, judgeByScan, judgePage } from "../../support/scan/judge-page";

/** Rules whose passing example is inapplicable: it no longer contains the tested element. */
const NOTHING_LEFT = [
  ...["blink", "marquee", "server-side-image-map"],
  ...["heading-by-looks", "fake-list", "css-text", "spaced-letters", "orientation-message", "reading-order"].map((name) => `rampe-${name}`),
  ...["down-event", "motion-sensor", "enlarged-text", "time-limit", "time-limit-enhanced", "unseen-focus"].map((name) => `rampe-${name}`),
  ...["image-of-text", "viewport-text-size", "sensory-instruction", "preformatted-table", "blinking-text", "moving-content", "media-alternative", "hidden-focus"].map((name) => `rampe-${name}`),
];

/** Only a scan records words of a drawing, while a script draws them. */
const READ_FROM_DRAWING = "rampe-decorative-image";

/** Time limit: a wrong example must not delay the whole run by minutes. */
const PATIENCE = { timeout: minutes(0.5) };

describe.each(LOCALES)("the examples of the rules (%s) are judged as their pages say", (locale) => {
  let browser: Browser;
  let page: Page;
  let site: Site;
  const scanner = testScanner({ ruleTexts: OWN_RULE_TEXTS });
  beforeAll(async () => {
    site = await openSite({ ...examples(locale), "/": { status: 204 }, "/start": "<!doctype html>" });
    browser = await openBrowser();
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    // Examples are written into this document: a new one would have to load axe-core again.
    await page.goto(site.url("/start"));
  });
  afterAll(async () => {
    await browser.close();
    await scanner.stop();
    await site.close();
  });

  // The examples have the same markup in all languages.
  const judged = guidedRules().filter((id) => locale === LOCALES[0] || readsWords(id));
  const isScanned = (id: string) => (needsScan(id) || id === READ_FROM_DRAWING) && !isOfSite(id);
  const addressOf = (id: string, kind: ExampleKind) => site.url(`/${id}/${kind}`);
  it.each(judged.filter((id) => !isScanned(id)))("%s", async (id) => {
    await expectOutcomes(expect, id, async (kind) => {
      const example = exampleDocument(id, kind, locale) ?? "";
      if (isOfSite(id)) {
        // New base address: links of the pages would otherwise be below the previous example's address.
        await page.goto(site.url("/start"));
        return judgeExample(page, example, id);
      }
      // Example with frames: in a written document, they may not be loaded.
      await (example.includes("<iframe") ? page.goto(addressOf(id, kind)) : page.setContent(example));
      return (await judgePage(page, id)).outcome;
    });
  });

  // Scans wait most of the time.
  it.concurrent.for(judged.filter(isScanned))("%s", async (id, { expect }) => {
    await expectOutcomes(expect, id, (kind) => judgeByScan(scanner, addressOf(id, kind), id));
  });

  async function expectOutcomes(expectIn: ExpectStatic, id: string, outcome: (kind: ExampleKind) => Promise<string>): Promise<void> {
    // On a busy machine, the effect of a key or a click may come too late.
    await expectIn.poll(() => outcome("fails"), PATIENCE).toBe(ruleGuide(id, locale)?.asksOnly ? "asked" : "failed");
    await expectIn.poll(() => outcome("passes"), PATIENCE).toBe(NOTHING_LEFT.includes(id) ? "inapplicable" : "passed");
  }
});

/** Whether a rule depends on language; axe-core's rules and most rules about interaction do not. */
function readsWords(id: string): boolean {
  const inUse = CONDITION_OF.has(id) && CONDITION_OF.get(id) !== "forms" && id !== "rampe-keyboard-trap";
  return id.startsWith("rampe-") && !needsScan(id) && !inUse;
}

const examples = (locale: Locale) =>
  Object.fromEntries(guidedRules().flatMap((id) => EXAMPLE_KINDS.map((kind) => [`/${id}/${kind}`, exampleDocument(id, kind, locale) ?? ""])));
