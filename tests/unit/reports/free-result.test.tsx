import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { createEvidence } from "~/findings/evidence.server";
import { violationView } from "~/findings/finding-views.server";
import { createFindings } from "~/findings/finding.server";
import { BARRIERS } from "~/findings/rules/barriers";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { LOCALES } from "~/platform/i18n/i18n";
import { createChecks } from "~/reports/check/check.server";
import { Violation } from "~/reports/check/violation";
import * as checkPage from "~/routes/site/check";
import { createPages } from "~/runs/page.server";
import { createRuns } from "~/runs/run.server";
import { listRules } from "~/scan/rules/list-rules";
import type { ElementResult, FindingResult } from "~/scan/types";
import german from "locales/de/remedies.json";
import english from "locales/en/remedies.json";
import { linksIn, rendered } from "../../support/browser/rendered";
import { freshDatabase, testBox } from "../../support/database/database";
import { checkedPage, element, ENGINES, finding } from "../../support/database/page-results";

const AXE = axe.getRules().map(({ ruleId, tags }) => ({ id: ruleId, tags }));
const OWN = listRules(OWN_RULE_TEXTS).filter(({ source }) => source === "rampe");
const ALL = [...AXE, ...OWN];
const SELECTOR = "main > .teaser:nth-child(2) > img";
const MARKUP = '<img class="teaser" src="/armchair.jpg">';
/** Technical text that is forbidden before the part for developers; `[class=` and `:nth-child` are parts of selectors. */
const TECHNICAL = /[<>{}]|&lt;|\bnth-child|\[\w+=|\b(alt|aria-\w+|href|tabindex|iframe|role)=|class=/;

const place: Partial<ElementResult> = {
  target: [SELECTOR],
  html: MARKUP,
  context: { role: "img", name: "Armchair", heading: "Special offers", landmark: { role: "navigation", name: "Main menu" } },
};

const inWords = (markup: string) => markup.replace(/<details.*?<\/details>/gs, " ").replace(/<(script|style).*?<\/\1>/gs, " ");
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/&#x27;/g, "'").replace(/\s+/g, " ");

describe.each(LOCALES)("a problem in full, in %s", (locale) => {
  test.each(ALL)("$id is told in plain words before the part for development", async ({ id, tags }) => {
    const view = violationView(finding(id, { tags, impact: "serious", elementCount: 4, elements: [element(place)] }), locale, "en");
    const markup = await rendered([{ path: "*", element: <Violation {...view} /> }], locale);
    const words = textOf(inWords(markup));
    expect(words).not.toMatch(TECHNICAL);
    expect(words).not.toContain(SELECTOR);
    if (id.includes("-")) expect(words).not.toContain(id);
    for (const text of ["Armchair", "Main menu", "Special offers", view.title.text, view.remedy.todo]) expect(words).toContain(text);
    const whole = textOf(markup);
    // The fix for a missing title changes the page's head, not the element.
    for (const text of [id, "nth-child(2)", ...(id === "document-title" ? [] : ["armchair.jpg"])]) expect(whole).toContain(text);
  });
});

describe("what to do", () => {
  test("is said for each kind of barrier, and for rules that need words of their own", () => {
    const known = new Set([...Object.keys(BARRIERS), ...ALL.map(({ id }) => id)]);
    expect(Object.keys(german).filter((key) => !known.has(key))).toEqual([]);
    expect(Object.keys(BARRIERS).filter((key) => !Object.hasOwn(german, key))).toEqual([]);
  });

  test.each(Object.entries({ ...german, ...english }))("%s: needs no technical knowledge, and shows a difference", (key) => {
    for (const remedies of [german, english] as Record<string, { todo: string; before: string; after: string }>[]) {
      const { todo, before, after } = remedies[key]!;
      for (const text of [todo, before, after]) expect(text).not.toMatch(TECHNICAL);
      expect(before).not.toBe(after);
    }
  });
});

describe.each(LOCALES)("the page of a free check, in %s", (locale) => {
  async function pageOf(violations: FindingResult[]): Promise<string> {
    const db = await freshDatabase();
    const runs = createRuns({ db, box: testBox, queues: { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db }) }, retentionDays: 365 });
    const services = {
      runs,
      checks: createChecks({ runs, pages: createPages({ db }), findings: createFindings({ db }), evidence: createEvidence({ db }), pageSeconds: 30, userAgent: "Rampe/1" }),
      events: { waitFor: async () => {} },
      billing: null,
    };
    const run = await runs.start({ url: "https://shop.example/", scope: "page", standard: { version: "2.2", level: "AA" }, owner: null });
    await runs.begin(run.id);
    const result = checkedPage({ url: "https://shop.example/", findings: { violations, incomplete: [finding("color-contrast")], passes: [], inapplicable: [] } });
    await db.transaction().execute((trx) => runs.finish(trx, run.id, result, ENGINES));
    const request = new Request(`https://rampe.example/check/${run.id}`, { headers: { Cookie: `locale=${locale}` } });
    const context = { services, visitor: { user: async () => null } } as never;
    const { data } = (await checkPage.loader({ request, params: { id: run.id }, context })) as { data: object };
    const shownData = JSON.parse(JSON.stringify(data)) as object;
    const Page = checkPage.default;
    return rendered([{ id: "page", path: "*", element: <Page />, loader: () => shownData }], locale);
  }

  const picture = Buffer.from("a picture");
  const found = ["image-alt", "label", "link-name", "button-name"].map((id, rank) =>
    finding(id, { impact: "critical", elementCount: 9 - rank, elements: Array.from({ length: 5 }, () => element({ ...place, picture })) }),
  );

  test("names no selector, tag or rule before the part for development", async () => {
    const words = textOf(inWords(await pageOf(found)));
    expect(words).not.toMatch(TECHNICAL);
    for (const { ruleId } of found.filter(({ ruleId }) => ruleId.includes("-"))) expect(words).not.toContain(ruleId);
    expect(words).not.toContain("color-contrast");
  });

  test("shows three problems in full with up to three pictures each, and the others with one", async () => {
    const markup = await pageOf(found);
    expect(markup.match(/class="violation /g)).toHaveLength(3);
    const pictures = [...markup.matchAll(/src="\/check\/[\w-]+\/picture\/([\w-]+)\/(\d)"/g)].map(([, rule, position]) => `${rule} ${position}`);
    expect(pictures).toEqual(["image-alt", "label", "link-name"].flatMap((id) => [`${id} 0`, `${id} 1`, `${id} 2`]).concat("button-name 0"));
  });

  test("every picture leads to itself in full size, also without scripts", async () => {
    const markup = await pageOf(found);
    const pictures = markup.match(/<img[^>]* src="\/check\/[^"]+"/g);
    expect(pictures).toHaveLength(10);
    expect(markup.match(/<a class="picture-link" href="(\/check\/[^"]+)"><img[^>]* src="\1"/g)).toHaveLength(10);
  });

  test("links to pictures of different places have different names", async () => {
    const links = linksIn(await pageOf(found)).filter(({ href }) => href.includes("/picture/"));
    expect(new Set(links.map(({ text }) => text)).size).toBe(links.length);
  });

  test("says what was found before how it was checked", async () => {
    const markup = await pageOf(found);
    expect(markup.indexOf('id="violations"')).toBeLessThan(markup.indexOf('id="checked"'));
  });
});
