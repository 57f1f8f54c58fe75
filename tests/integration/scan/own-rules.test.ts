import { readFileSync } from "node:fs";
import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { PAGE_RULES } from "~/scan/rules/rampe/index";
import type { FindingResult, Level, RuleChoice } from "~/scan/types";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { openBrowser } from "../../support/browser/browser";
import { checkWhole, isMeasured, judgePage, needsScan } from "../../support/scan/judge-page";
import { readRuleCases, type RuleCase } from "../../support/scan/rule-cases";
import { expectChecked, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith } from "../../support/scan/site";

const cases = readRuleCases();

describe("each rule of our own judges its examples", () => {
  const browsers: Browser[] = [];
  const idle: Page[] = [];
  afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

  /** Page in a separate browser: only one page of a browser has the focus. */
  async function openPage(): Promise<Page> {
    const browser = await openBrowser();
    browsers.push(browser);
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    return page;
  }

  it.concurrent.each(cases.filter(({ ruleId }) => !needsScan(ruleId)))("$ruleId: $expected: $title", async ({ ruleId, expected, markup }) => {
    const page = idle.pop() ?? (await openPage());
    const head = markup.includes("<title>") ? "" : "<title>Example</title>";
    await page.setContent(`<!doctype html><html lang="en"><head>${head}</head><body>${markup}</body></html>`);
    const { outcome, messages } = await judgePage(page, ruleId);
    idle.push(page);
    expect(outcome).toBe(expected);
    // Control: if our text is missing, axe-core uses its own words.
    const { fail = {}, incomplete = {} } = messagesOf(ruleId);
    const known = [...Object.values(fail), ...Object.values(incomplete)].map((text) => text.split("${")[0] ?? "");
    for (const message of messages) expect(known.some((start) => message.startsWith(start)), message).toBe(true);
  });
});

describe("contrast that axe-core cannot tell is measured on pictures, in an advanced analysis", () => {
  const measured = cases.filter(({ ruleId }) => isMeasured(ruleId)).sort((one, other) => one.ruleId.length - other.ruleId.length);
  const pageOf = ({ markup }: RuleCase) => `<!doctype html><html lang="en"><title>Example of contrast</title><main><h1>Example</h1>${markup}</main>`;
  let site: Awaited<ReturnType<typeof openSite>>;
  let scanner: ReturnType<typeof testScanner>;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(measured.map((each, index) => [`/${index}`, pageOf(each)])));
    scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  /** Rules by level; a choice of rules would also run those of higher levels. */
  const AA = ["color-contrast", "rampe-drawn-contrast"];
  const CONTRAST: Record<Level, string[]> = { A: [], AA, AAA: [...AA, "color-contrast-enhanced", "rampe-drawn-contrast-enhanced"] };
  const check = async (index: number, advanced = true, level: Level = "AA", rules: RuleChoice = { only: CONTRAST[level] }) =>
    checkWhole(scanner, { url: site.url(`/${index}`), advanced, rules, pictures: true, standard: { version: "2.2", level } });
  const idsOf = (rules: FindingResult[]) => rules.map(({ ruleId }) => ruleId).filter((id) => /contrast/.test(id));

  const casesOf = (id: string) => measured.map((each, index) => ({ ...each, index })).filter(({ ruleId }) => ruleId === id);

  it.concurrent.each(casesOf("rampe-drawn-contrast-enhanced"))("at level AAA: $expected: $title", async ({ ruleId, expected, index }) => {
    const has = (rules: FindingResult[]) => rules.some((rule) => rule.ruleId === ruleId);
    const { findings, partial } = await check(index, true, "AAA");
    expect([has(findings.violations), has(findings.incomplete), has(findings.passes)]).toEqual(["failed", "asked", "passed"].map((each) => each === expected));
    expect(findings.incomplete.flatMap(({ elements }) => elements).every(({ checks }) => checks[0]?.message !== "")).toBe(true);
    expect(partial).toEqual([]);
  });

  it.concurrent.each(casesOf("rampe-drawn-contrast"))("$expected: $title", async ({ expected, index }) => {
    const { findings, partial } = await check(index);
    const open = expected === "asked" ? ["color-contrast"] : [];
    expect(idsOf(findings.incomplete)).toEqual(open);
    expect(findings.violations.some(({ ruleId }) => ruleId === "rampe-drawn-contrast")).toBe(expected === "failed");
    expect(findings.passes.some(({ ruleId }) => ruleId === "rampe-drawn-contrast")).toBe(expected === "passed");
    expect(partial).toEqual([]);
  });

  it("tells the measured value, and shows the element", async () => {
    const { findings } = await check(0);
    const [element] = findings.violations.find(({ ruleId }) => ruleId === "rampe-drawn-contrast")?.elements ?? [];
    expect(element).toMatchObject({ target: ["p"], impact: "serious", picture: expect.any(Uint8Array) as Uint8Array });
    expect(element?.checks[0]?.message).toMatch(/^Measured on a picture of the page: 12 of 12 letters stand out from their background by 1\.\d+:1 at most; 4\.5:1 is required$/);
  });

  it("never costs a page its result: one that hangs when scrolled keeps its questions", async () => {
    const hanging = await openSite({
      "/": `<!doctype html><html lang="en"><title>Example of contrast</title><main><h1>Example</h1><p style="margin-top: 3000px; color: #fff; background: linear-gradient(#bcd, #def)">Opening hours</p></main>
        <script>addEventListener("scroll", (event) => { if (event.isTrusted) for (;;); }, { capture: true })</script>`,
    });
    const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 8 });
    try {
      const { findings } = expectChecked(await scanner.check({ url: hanging.url("/"), standard: WCAG22AA, advanced: true, pictures: true }));
      expect(idsOf(findings.incomplete)).toEqual(["color-contrast"]);
      expect(idsOf(findings.violations)).toEqual([]);
    } finally {
      await scanner.stop();
      await hanging.close();
    }
  });

  it("can run without the other rules", async () => {
    const only = async (...ids: string[]) => [...new Set(idsOf(Object.values((await check(0, true, "AA", { only: ids })).findings).flat()))];
    expect(await only("rampe-drawn-contrast")).toEqual(["rampe-drawn-contrast"]);
    expect(await only("color-contrast")).toEqual(["color-contrast"]);
  });

  it("leaves the question open in other analyses", async () => {
    const { findings } = await check(0, false);
    expect(idsOf(findings.incomplete)).toEqual(["color-contrast"]);
    expect(idsOf(Object.values(findings).flat())).not.toContain("rampe-drawn-contrast");
  });
});

test("every rule has failed or asked, passed or inapplicable examples, and every example a rule", () => {
  const ids = PAGE_RULES.map(({ id }) => id);
  for (const id of ids) {
    const own = new Set(cases.filter(({ ruleId }) => ruleId === id).map(({ expected }) => expected));
    expect(own.has("failed") || own.has("asked"), id).toBe(true);
    expect(own.has("passed") || own.has("inapplicable"), id).toBe(true);
  }
  expect([...new Set(cases.map(({ ruleId }) => ruleId))].sort()).toEqual([...ids].sort());
});

test("an element is not reported twice for one criterion, and other elements stay", async () => {
  const site = await openSite({ "/": pageWith(`<button aria-label="Send">Submit form</button><a href="/more">more</a>`) });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  try {
    const found = violationsOf(await scanner.check({ url: site.url("/"), standard: WCAG22AA }));
    expect(found).toContain("label-content-name-mismatch button");
    expect(found.filter((each) => each.startsWith("rampe-label-in-name"))).toEqual([]);
    expect(found).toContain("rampe-page-title html");
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("rules of level AAA take part in checks by that level alone, in no category of others", async () => {
  const markup = `<p>The committee of the BVM meets in the old hall by the river every Sunday. <a href="/a" target="_blank">more</a></p><button style="border: 1px solid">Save</button>`;
  const site = await openSite({ "/": pageWith(markup) });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  const highest = PAGE_RULES.filter(({ level }) => level.endsWith("aaa")).map(({ id }) => id);
  const ran = async (level: Level) => {
    const page = await checkWhole(scanner, { url: site.url("/"), advanced: true, standard: { version: "2.2", level } });
    const ids = new Set([...Object.values(page.findings).flatMap((rules) => rules.map(({ ruleId }) => ruleId)), ...page.partial]);
    return highest.filter((id) => ids.has(id));
  };
  try {
    expect(highest.length).toBeGreaterThan(9);
    expect(await ran("AA")).toEqual([]);
    expect(await ran("AAA")).toEqual(highest);
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("listeners of scripts are judged in an advanced analysis alone; with too many, the rules are named as unfinished", async () => {
  const site = await openSite({
    "/": pageWith(`<div id="a" style="cursor: pointer">Save</div><script>a.addEventListener("click", () => {})</script>`),
    "/many": pageWith(`<div id="a">Save</div><script>for (let n = 0; n < 21000; n += 1) a.addEventListener("click", () => n)</script>`),
  });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  const ruleId = "rampe-scripted-control";
  const check = async (path: string, advanced?: boolean) => {
    const result = await scanner.check({ url: site.url(path), standard: WCAG22AA, advanced });
    if (result.status !== "succeeded") throw new Error(JSON.stringify(result.detail));
    const found = Object.entries(result.findings).flatMap(([category, rules]) => (rules.some((rule) => rule.ruleId === ruleId) ? [category] : []));
    return { found, partial: result.partial };
  };
  try {
    expect(await check("/", true)).toEqual({ found: ["violations"], partial: [] });
    expect(await check("/")).toEqual({ found: [], partial: [] });
    expect(await check("/many", true)).toEqual({ found: [], partial: ["rampe-down-event", "rampe-motion-sensor", ruleId] });
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("what libraries react for, and listeners in shadow roots, are judged as listeners at the element", async () => {
  const styles = `<style>.act { cursor: pointer; padding: 8px }</style>`;
  const scriptOf = (name: string) => `<script src="/${name}"></script>`;
  const react = `${scriptOf("react.js")}${scriptOf("react-dom.js")}<div id="app"></div><script>
    const act = (props, text) => React.createElement("div", { className: "act", onMouseUp() {}, ...props }, text);
    const keys = { role: "button", tabIndex: 0, onKeyDown() {} };
    ReactDOM.createRoot(app).render(React.createElement("main", {}, act({ id: "react" }, "Save"), act({ id: "react-keys", ...keys }, "Undo")));
  </script>`;
  const others = `<div class="act" id="solid">Copy</div><div class="act" id="svelte">Paste</div><p class="act row">Move</p><p id="idle">Text</p><script>
    solid.$$click = () => {};
    svelte.__click = [() => {}];
    idle.$$note = "click";
    window.jQuery = { _data: (holder) => (holder === document ? { click: [{ selector: ".row" }, { selector: ":wrong(" }, {}] } : undefined) };
  </script>`;
  const shadow = `<x-menu></x-menu><script>
    const root = document.querySelector("x-menu").attachShadow({ mode: "open" });
    root.innerHTML = '<div style="cursor: pointer" id="inner">Open</div>';
    root.firstChild.addEventListener("click", () => {});
  </script>`;
  const source = (name: string) => ({ headers: { "content-type": "text/javascript" }, body: readFileSync(new URL(`../../../node_modules/${name}`, import.meta.url)) });
  const site = await openSite({
    "/": pageWith(styles + react + others + shadow),
    "/slow": pageWith(`<div id="a" style="cursor: pointer">Save</div><script>
      a.addEventListener("click", () => {});
      window.jQuery = { _data() { for (;;); } };
    </script>`),
    "/react.js": source("react/umd/react.production.min.js"),
    "/react-dom.js": source("react-dom/umd/react-dom.production.min.js"),
  });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  const found = async (path: string) => {
    const { findings } = await checkWhole(scanner, { url: site.url(path), standard: WCAG22AA, advanced: true });
    const of = (category: "violations" | "incomplete") => findings[category].filter(({ ruleId }) => ruleId === "rampe-scripted-control").flatMap(({ elements }) => elements.map(({ target }) => target.flat().at(-1)));
    return { violations: of("violations").sort(), incomplete: of("incomplete") };
  };
  try {
    expect(await found("/")).toEqual({ violations: ["#inner", "#react", "#solid", "#svelte", ".row"], incomplete: [] });
    expect(await found("/slow"), "without an answer of the page, its own listeners count").toEqual({ violations: ["#a"], incomplete: [] });
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("moving pictures are read from what the page has loaded, in an advanced analysis alone, and asked for once", async () => {
  const moving = /base64,([^"]+)/.exec(cases.find(({ ruleId }) => ruleId === "rampe-animated-image")?.markup ?? "")?.[1] ?? "";
  const gif = { headers: { "content-type": "image/gif" }, body: Buffer.from(moving, "base64") };
  const site = await openSite({ "/": pageWith('<img id="new" src="/new.gif" alt="New" width="48" height="48">'), "/new.gif": gif });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  const asked = async (advanced: boolean) => {
    const { findings } = await checkWhole(scanner, { url: site.url("/"), advanced });
    return findings.incomplete.filter(({ ruleId }) => ruleId === "rampe-animated-image");
  };
  try {
    expect(await asked(true)).toMatchObject([{ elements: [{ target: ["#new"] }] }]);
    expect(site.requests.filter((path) => path === "/new.gif")).toHaveLength(1);
    expect(await asked(false)).toEqual([]);
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("time limits are read from scripts that the page has loaded from its own address, once and in an advanced analysis alone", async () => {
  const script = { headers: { "content-type": "text/javascript" }, body: `const LIMIT = 20 * 60 * 1000; setTimeout(() => { location.href = "/end" }, LIMIT)` };
  const site = await openSite({ "/": pageWith('<script src="/own.js"></script>'), "/own.js": script });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  const asked = async (path: string, advanced: boolean) => {
    const { findings } = await checkWhole(scanner, { url: site.url(path), advanced });
    return findings.incomplete.filter(({ ruleId }) => ruleId === "rampe-time-limit").flatMap(({ elements }) => elements.map(({ checks }) => checks[0]?.message.split(":")[0]));
  };
  try {
    expect(await asked("/", true)).toEqual(["After 1200 seconds, a script leaves the page, loads it again or signs people out"]);
    expect(site.requests.filter((path) => path === "/own.js")).toHaveLength(1);
    expect(await asked("/", false)).toEqual([]);
    site.requests.length = 0;
    const elsewhere = await openSite({ "/": pageWith(`<script src="${site.url("/own.js")}"></script>`) });
    const { findings } = await checkWhole(scanner, { url: elsewhere.url("/"), advanced: true }).finally(() => elsewhere.close());
    expect(findings.incomplete.map(({ ruleId }) => ruleId)).not.toContain("rampe-time-limit");
  } finally {
    await scanner.stop();
    await site.close();
  }
});

test("content that comes late is judged, although the page then has too many listeners for the advanced rules", async () => {
  const late = `document.querySelector("main").insertAdjacentHTML("beforeend", "<img id=late src='data:,'>"); for (let n = 0; n < 21000; n += 1) document.body.addEventListener("click", () => n)`;
  const site = await openSite({ "/": pageWith(`<script>onload = () => setTimeout(() => { ${late} }, 4000)</script>`) });
  const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
  try {
    const result = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true }));
    expect(violationsOf(result)).toContain("image-alt #late");
    expect(result.partial).toContain("rampe-scripted-control");
  } finally {
    await scanner.stop();
    await site.close();
  }
});

function messagesOf(ruleId: string): { fail?: Record<string, string>; incomplete?: Record<string, string> } {
  return texts.checks[ruleId as keyof typeof texts.checks];
}
