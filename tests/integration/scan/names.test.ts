import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "puppeteer";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { openIsolatedWorld } from "~/scan/page/isolated-world";
import { WORLD_GLOBALS } from "~/scan/page/world-globals";
import { CATEGORIES, type Arrival, type CheckedPage } from "~/scan/types";
import { openBrowser } from "../../support/browser/browser";
import { FORM_PROPERTIES } from "../../support/scan/hostile/natives";
import { HOSTILE_SEED } from "../../support/scan/hostile-seed";
import { checkWhole, judgePage } from "../../support/scan/judge-page";
import { testScanner } from "../../support/scan/scanner";
import { repetitions } from "../../support/repetitions";
import { seeded, shuffled } from "../../support/seeded";
import { openSite, pageWith, type Site } from "../../support/scan/site";

/** Content for most of our own rules, before, inside and after the controls of one form, which has its own text. */
function pageOf(controls: string): string {
  return pageWith(`<header><nav><ul><li><a href="/">Start</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>
    <section><form id="form">Words of the form itself, about bread and rolls, every day
      <p style="order: -1">The first part of what is told here</p><p>The second part of what is told here</p>
      <p lang="en">Unsere Brötchen backen wir jeden Morgen frisch, und am Nachmittag gibt es Kuchen aus der Region.</p>
      <button type="button" aria-expanded="false" onclick="more.hidden = !more.hidden">More</button><div id="more" hidden><p>What was hidden before</p></div>
      <span class="tip" tabindex="0">Opening times<span class="bubble">Monday to Friday</span></span>
      <button type="button" id="down">Press</button>
      <label>Town <input id="town" required></label><input id="alone">
      <a href="/shop"><svg width="20" height="20"><path d="M0 0h20v20z" fill="#bbb"/></svg></a>
      <svg id="drawing" width="100" height="100"><path d="M0 0h100v100z"/></svg>
      ${controls}<button>Send</button></form></section><p id="end">The end.</p>
    <script>
      addEventListener("submit", (event) => { event.preventDefault(); end.textContent = "Please tell us your town."; });
      down.addEventListener("mousedown", () => { end.textContent = "Pressed"; });
      down.addEventListener("focus", () => {});
    </script>`, `<style>#form { display: flex; flex-direction: column; font-size: 5vw } .bubble { display: none; position: absolute; background: #fff } .tip:hover .bubble { display: block } a:focus { outline: none }</style>`);
}

/** One control for each name. */
const KINDS: Record<string, (name: string, text: string) => string> = {
  "an input each": (name, text) => `<input name="${name}" aria-label="${text}">`,
  "two inputs each": (name, text) => `<input name="${name}" aria-label="${text}"><input name="${name}" aria-label="${text} again">`,
  "a select each": (name, text) => `<select name="${name}" aria-label="${text}"><option>One</option></select>`,
  "an id each": (name, text) => `<textarea id="${name}" aria-label="${text}"></textarea>`,
  "two radio buttons each": (name, text) => `<label><input type="radio" name="${name}">${text}</label><label><input type="radio" name="${name}">Other</label>`,
};

const GLOBAL_PAGES: Record<string, (name: string) => string> = {
  "a box each": (name) => `<div id="${name}">x</div>`,
  "a form each": (name) => `<form id="${name}"><input name="stop" aria-label="Stop"><input name="exports" aria-label="Exports"><input name="amd" aria-label="amd"></form>`,
  "two images each": (name) => `<img name="${name}" alt="One" src="data:,"><img name="${name}" alt="Two" src="data:,">`,
};

const LIVELY = `<p id="outline">Outline</p><script>
  new MutationObserver((records) => { if (records.some(({ target, removedNodes }) => target.id === "outline" || [...removedNodes].some((node) => node.id === "outline"))) fetch("/outline-touched") })
    .observe(document, { subtree: true, childList: true, attributes: true })</script>`;

/** Page on which axe-core fails because of a name in a form. */
const UNBEARABLE = pageWith(`<form>Words of the form<input name="getRootNode" aria-label="Root"></form>`);
const DRAWN_LINK = pageWith(`<svg width="9" height="9"><link rel="canonical" href="/drawn"/></svg>`);

/** Selection of kinds, as each takes a quarter of a minute; the long run has all. */
const someKinds = shuffled(Object.keys(KINDS), seeded(HOSTILE_SEED)).slice(0, repetitions(2, Object.keys(KINDS).length));

const path = (kind: string, group: string) => `/${group}/${kind.replaceAll(" ", "-")}`;

describe(`names of elements that hide properties (HOSTILE_SEED=${HOSTILE_SEED})`, () => {
  const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 60 });
  let site: Site;

  beforeAll(async () => {
    const pages: Record<string, string> = { "/outline": pageWith(LIVELY), "/unbearable": UNBEARABLE, "/drawn-link": DRAWN_LINK };
    for (const [kind, control] of Object.entries(KINDS)) {
      // Reference: the same page with meaningless names.
      for (const [group, prefix] of [["hiding", ""], ["plain", "x-"]] as const) {
        const controls = (names: string[]) => names.map((name) => control(prefix + name, `Field ${name.toLowerCase()}`)).join("\n");
        pages[path(kind, group)] = pageOf(controls(FORM_PROPERTIES));
        // Only this name: with others, axe-core finds nothing in the form, or has no selector for it.
        pages[path(kind, `axe-${group}`)] = pageOf(controls(["parentElement"]));
      }
    }
    for (const [kind, element] of Object.entries(GLOBAL_PAGES)) {
      for (const [group, prefix] of [["globals", ""], ["others", "x-"]] as const)
        pages[path(kind, group)] = pageWith(WORLD_GLOBALS.map((name) => element(prefix + name)).join("\n"));
    }
    site = await openSite(pages);
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (address: string) => checkWhole(scanner, { url: site.url(address), advanced: true, ofSite: true, standard: { version: "2.2", level: "AAA" } }, 2);
  /** In parallel: during the interaction, the scanner mostly waits for the page. */
  const bothOf = (one: string, other: string) => Promise.all([check(one), check(other)]);

  it.each(someKinds)("are those of controls in a form: %s", async (kind) => {
    const [page, plain] = await bothOf(path(kind, "hiding"), path(kind, "plain"));
    expect(page.partial).toEqual([]);
    expect(outcomesOf(page)).toEqual(outcomesOf(plain));
    expect(page.facts?.blocks).not.toEqual([]);
  });

  it.each(["an input each", "two inputs each"])("do not stop our rules where they disturb those of axe-core: %s", async (kind) => {
    const [page, plain] = await bothOf(path(kind, "axe-hiding"), path(kind, "axe-plain"));
    expect(page.partial.filter((ruleId) => ruleId.startsWith("rampe-"))).toEqual([]);
    const ours = (outcomes: string[]) => outcomes.filter((outcome) => outcome.includes(" rampe-"));
    expect(ours(outcomesOf(page))).toEqual(ours(outcomesOf(plain)));
  });

  it.each(Object.keys(GLOBAL_PAGES))("are those of globals of ours: %s", async (kind) => {
    const [page, other] = await bothOf(path(kind, "globals"), path(kind, "others"));
    expect(page.partial).toEqual([]);
    expect(outcomesOf(page)).toEqual(outcomesOf(other));
  });

  it("leave a question about the page where axe-core fails, as axe-core asks it", async () => {
    const page = await checkWhole(scanner, { url: site.url("/unbearable") }, 1);
    expect(page.partial).toEqual([]);
    expect(outcomesOf(page)).toContain("incomplete color-contrast 1 with an error");
  });

  it("do not matter for a canonical address in a drawing, which has no resolved one", async () => {
    const arrivals: Arrival[] = [];
    await checkWhole(scanner, { url: site.url("/drawn-link"), onArrival: (arrival) => arrivals.push(arrival) });
    expect(arrivals).toMatchObject([{ canonical: site.url("/drawn") }]);
  });

  it("leave an element alone that is named like the outline of pictures", async () => {
    const page = await checkWhole(scanner, { url: site.url("/outline"), pictures: true });
    expect(page.findings.violations.flatMap(({ elements }) => elements.filter(({ picture }) => picture))).not.toEqual([]);
    expect(site.requests).not.toContain("/outline-touched");
  });
});

/** Rules with their number of elements, and with errors of axe-core itself. */
function outcomesOf({ findings }: CheckedPage): string[] {
  return CATEGORIES.flatMap((category) =>
    findings[category].map(({ ruleId, elementCount, elements }) => {
      const hasError = elements.some(({ checks }) => checks.some(({ id }) => id === "error-occurred"));
      return `${category} ${ruleId} ${elementCount}${hasError ? " with an error" : ""}`;
    }),
  );
}

describe("the list of our globals", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("gives each its place before an element can take it, once", async () => {
    const page = await browser.newPage();
    await page.setContent(`<!doctype html><title>Names</title>${WORLD_GLOBALS.map((name) => `<div id="${name}"></div>`).join("")}`);
    const session = await page.createCDPSession();
    const { frameTree } = await session.send("Page.getFrameTree");
    const world = await openIsolatedWorld(session, frameTree.frame.id);
    const taken = (names: string[]) => names.filter((name) => (globalThis as unknown as Record<string, unknown>)[name] instanceof Element);
    expect(await world.call(taken, WORLD_GLOBALS)).toEqual([]);
    await world.call(() => void Object.assign(globalThis, { watch: "kept" }));
    const again = await openIsolatedWorld(session, frameTree.frame.id);
    expect(await again.call(() => (globalThis as { watch?: unknown }).watch)).toBe("kept");
  });

  it("has all that axe-core and the rules define", async () => {
    const page = await browser.newPage();
    await page.setContent(pageOf(""));
    // One rule for each kind of interaction.
    for (const rule of ["rampe-focus-visible", "rampe-error-told", "rampe-enlarged-text", "rampe-moving-content"]) await judgePage(page, rule);
    const session = await page.createCDPSession();
    const { frameTree } = await session.send("Page.getFrameTree");
    const names = async (worldName: string): Promise<string[]> => {
      const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName });
      const { result } = await session.send("Runtime.evaluate", { expression: "Object.getOwnPropertyNames(globalThis)", contextId, returnByValue: true });
      return result.value as string[];
    };
    const [ours, fresh] = [await names("rampe"), new Set(await names("another"))];
    expect(ours).toEqual(expect.arrayContaining(["axe", "rampeWalk", "rampeForms", "rampeMeasures"]));
    expect(ours.filter((name) => !fresh.has(name) && !WORLD_GLOBALS.includes(name))).toEqual([]);
  });
});
