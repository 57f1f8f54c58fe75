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

/** Rules whose passing example has nothing to judge: the element that the rule looks for is gone. */
const NOTHING_LEFT = [
  ...["blink", "marquee", "server-side-image-map"],
  ...["heading-by-looks", "fake-list", "css-text", "spaced-letters", "orientation-message", "reading-order"].map((name) => `rampe-${name}`),
  ...["down-event", "motion-sensor", "enlarged-text", "time-limit", "unseen-focus"].map((name) => `rampe-${name}`),
  ...["viewport-text-size", "sensory-instruction", "preformatted-table", "blinking-text", "moving-content", "media-alternative", "hidden-focus"].map((name) => `rampe-${name}`),
];

/** Words of a drawing are noted while a script draws them, which only a scan does. */
const READ_FROM_DRAWING = "rampe-decorative-image";

/** A wrong example must not cost the whole run minutes. */
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
        // Links of the pages would lead below the address of an example before.
        await page.goto(site.url("/start"));
        return judgeExample(page, example, id);
      }
      // The frames of a written document may not have loaded.
      await (example.includes("<iframe") ? page.goto(addressOf(id, kind)) : page.setContent(example));
      return (await judgePage(page, id)).outcome;
    });
  });

  // Scans wait most of the time.
  it.concurrent.for(judged.filter(isScanned))("%s", async (id, { expect }) => {
    await expectOutcomes(expect, id, (kind) => judgeByScan(scanner, addressOf(id, kind), id));
  });

  async function expectOutcomes(expectIn: ExpectStatic, id: string, outcome: (kind: ExampleKind) => Promise<string>): Promise<void> {
    // On a busy machine, what a key or a click does may come too late to be seen.
    await expectIn.poll(() => outcome("fails"), PATIENCE).toBe(ruleGuide(id, locale)?.asksOnly ? "asked" : "failed");
    await expectIn.poll(() => outcome("passes"), PATIENCE).toBe(NOTHING_LEFT.includes(id) ? "inapplicable" : "passed");
  }
});

/** axe-core's rules do not, nor do most rules about a page in use. */
function readsWords(id: string): boolean {
  const inUse = CONDITION_OF.has(id) && CONDITION_OF.get(id) !== "forms" && id !== "rampe-keyboard-trap";
  return id.startsWith("rampe-") && !needsScan(id) && !inUse;
}

const examples = (locale: Locale) =>
  Object.fromEntries(guidedRules().flatMap((id) => EXAMPLE_KINDS.map((kind) => [`/${id}/${kind}`, exampleDocument(id, kind, locale) ?? ""])));
