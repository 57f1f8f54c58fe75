import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage } from "~/scan/types";
import { walked } from "../../support/scan/hostile/used";
import { describeHostileOperation } from "../../support/scan/hostile-operation";
import { checkWhole, expectByScan } from "../../support/scan/judge-page";
import { readRuleCases } from "../../support/scan/rule-cases";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const RULES_OF_WALK = ["rampe-focus-visible", "rampe-focus-removed", "rampe-focus-covered", "rampe-focus-context", "rampe-keyboard-trap"];

const elementsOf = ({ findings }: CheckedPage, ruleId: string) => findings.violations.find((rule) => rule.ruleId === ruleId)?.elements ?? [];

describe("what the focus alone starts is seen, and does not happen", () => {
  const cases = readRuleCases().filter(({ ruleId }) => ruleId === "rampe-focus-context");
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$expected: $title", async ({ expected, index }, { expect }) => {
    await expectByScan(scanner, site.url(`/${index}`), "rampe-focus-context", expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

describe("what nobody sees has the focus", () => {
  it("is not taken for all, where there is too much of it", async () => {
    const boxes = Array.from({ length: 6 }, (_, index) => `<p><input type="checkbox" id="b${index}"><label for="b${index}">Box ${index}</label></p>`).join("");
    const style = "<style>input { position: absolute; opacity: 0 } input:focus + label { outline: 3px solid #036 }</style>";
    const site = await openSite({ "/": pageWith(`${style}${boxes}<nav style="position: absolute; left: -400px; width: 300px"><a href="/shop">Shop</a></nav>`) });
    const { partial } = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: ["rampe-unseen-focus", "rampe-focus-visible"] } }));
    await site.close();
    expect(partial).toEqual(["rampe-unseen-focus"]);
  });
});

describe("what nobody sees has the focus, on a page with a style sheet of another site", () => {
  it.concurrent.for([
    { what: "counts, if it was loaded", isReached: true, found: 1, partial: [] },
    { what: "is unfinished, if it could not be reached", isReached: false, found: 0, partial: ["rampe-unseen-focus"] },
  ])("$what", async ({ isReached, found, partial }, { expect }) => {
    const other = await openSite({ "/menu.css": { headers: { "content-type": "text/css" }, body: "nav { width: 300px }" } });
    if (!isReached) await other.close();
    const menu = `<nav style="position: absolute; left: -400px"><a href="/shop">Shop</a></nav>`;
    const site = await openSite({ "/": pageWith(`<link rel="stylesheet" href="${other.url("/menu.css", "localhost")}">${menu}`) });
    const result = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: ["rampe-unseen-focus"] } }));
    await Promise.all([site, ...(isReached ? [other] : [])].map((each) => each.close()));
    expect(elementsOf(result, "rampe-unseen-focus")).toHaveLength(found);
    expect(result.partial).toEqual(partial);
  });
});

describe("the way back to the start of the page", () => {
  const bar = `<div style="position: fixed; inset: 0 0 auto; height: 150px; background: #fff">Opening hours</div><div style="padding-top: 200px">`;
  const links = (count: number) => Array.from({ length: count }, (_, index) => `<p style="margin: 0 0 90px"><a href="/${index}">Page ${index}</a></p>`).join("");
  const frame = `<iframe title="Map" srcdoc="<p><button>Larger</button></p>"></iframe>`;

  it.concurrent.for([
    { what: "leads through frames, whose stops are not judged", content: `${links(12)}${frame}`, covered: expect.arrayContaining([expect.anything()]), partial: ["rampe-focus-covered"] },
    { what: "is unfinished, if it is too long", content: links(600), covered: expect.anything(), partial: ["rampe-focus-covered"] },
  ])("$what", async ({ content, covered, partial }) => {
    const site = await openSite({ "/": pageWith(`${bar}${content}</div>`) });
    const result = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: ["rampe-focus-covered"] } }));
    await site.close();
    expect(elementsOf(result, "rampe-focus-covered")).toEqual(covered);
    expect(result.partial).toEqual(partial);
  });
});

describe("the walk in an inner frame", () => {
  const inner = (markup: string) => `<!doctype html><html lang="en"><title>Map</title><style>.bare { outline-style: none }</style>${markup}</html>`;
  const plain = `<p><button>Larger</button> <button>Smaller</button></p>`;
  const rules = { only: ["rampe-focus-visible", "rampe-unseen-focus", "rampe-keyboard-trap", "rampe-hidden-focus", "rampe-focus-removed", "rampe-skipped-control"] };
  const check = async (markup: string, { before = "", host = "127.0.0.1", pages = {} as Record<string, string>, only = rules.only } = {}) => {
    const frame = `<iframe title="Map" id="map" width="600" height="300"></iframe><script>map.src = "http://${host}:" + location.port + "/inner"</script>`;
    const site = await openSite({ "/": pageWith(`<a href="/x">Before</a>${before}${frame}<p><a href="/y">After</a></p>`), "/inner": inner(markup), ...pages });
    try {
      const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only } }));
      const found = [...page.findings.violations, ...page.findings.incomplete].filter(({ ruleId }) => rules.only.includes(ruleId));
      return { partial: page.partial, found: found.map(({ ruleId, elements }) => [ruleId, ...elements.map(({ target }) => target.flat().at(-1)).sort()]) };
    } finally {
      await site.close();
    }
  };

  it.concurrent.for([
    { what: "a script removes the outline", markup: `<p><button id="larger" onfocus="this.className = 'bare'">Larger</button> <button>Smaller</button></p>`, found: [["rampe-focus-visible", "#larger"]] },
    { what: "a link outside of it gets the focus", markup: `<nav style="position: absolute; left: -400px; width: 300px"><a id="shop" href="/shop">Shop</a></nav>${plain}`, found: [["rampe-unseen-focus", "#shop"]] },
    { what: "content hidden from screen readers gets the focus", markup: `<p id="hidden" aria-hidden="true"><button>Larger</button></p>`, found: [["rampe-hidden-focus", "#hidden"]] },
    { what: "a script takes the focus away", markup: `<p><button id="larger" onfocus="this.blur()">Larger</button></p>${plain}`, found: [["rampe-focus-removed", "#larger"]] },
    { what: "all is well", markup: plain, found: [] },
    { what: "it is at the end of a long page", markup: `<p><button id="larger" onfocus="this.className = 'bare'">Larger</button></p>`, before: `<div style="height: 2000px"></div>`, found: [["rampe-focus-visible", "#larger"]] },
    { what: "a frame in it", markup: `<iframe title="In it" width="300" height="200" src="/deep"></iframe>`, pages: { "/deep": inner(`<p><button id="larger" onfocus="this.className = 'bare'">Larger</button></p>`) }, found: [["rampe-focus-visible", "#larger"]] },
  ])("is judged as in the page: $what", async ({ markup, found, ...options }, { expect }) => {
    await expect.poll(() => check(markup, options)).toEqual({ partial: [], found });
  });

  it("finds a trap", async () => {
    const { found, partial } = await check(`<p><button id="larger" onkeydown="if (event.key === 'Tab') event.preventDefault()">Larger</button></p>`);
    expect(found).toContainEqual(["rampe-keyboard-trap", "#larger"]);
    expect(partial).toContain("rampe-unseen-focus");
  });

  it("finds a control that the Tab key passes by", async () => {
    const passed = `<p><button>Larger</button></p><p><button id="passed">Turn</button></p><p><button>Smaller</button></p><script>addEventListener("keydown", (event) => { const at = document.activeElement, all = [...document.querySelectorAll("button")]; if (event.key === "Tab" && at.id !== "passed" && all.indexOf(at) === (event.shiftKey ? 2 : 0)) { event.preventDefault(); all[event.shiftKey ? 0 : 2].focus() } })</script>`;
    await expect.poll(() => check(passed)).toEqual({ partial: [], found: [["rampe-skipped-control", "#passed"]] });
  });

  it("leaves the rest of the walk as it is where it goes away meanwhile", async () => {
    const hidden = `<p id="hidden" aria-hidden="true"><button onfocus="map.remove()">Larger</button></p>`;
    await expect.poll(async () => (await check(plain, { before: hidden })).found).toEqual([["rampe-hidden-focus", "#hidden"]]);
    const own = `<p><button onfocus="frameElement.remove()">Larger</button></p>`;
    await expect.poll(async () => (await check(own, { before: hidden.replace(` onfocus="map.remove()"`, "") })).found).toEqual([["rampe-hidden-focus", "#hidden"]]);
  });

  it("does not call checked what rules about the document alone do not see in it", async () => {
    const only = ["rampe-focus-covered", "rampe-focus-context"];
    expect((await check(plain, { only })).partial).toEqual(["rampe-focus-context", "rampe-focus-covered"]);
    expect((await check("<p>Nothing to reach</p>", { only })).partial).toEqual([]);
  });

  it("does not call checked what is in a frame of another site", async () => {
    const { partial } = await check(plain, { host: "localhost" });
    expect(partial).toEqual(["rampe-focus-removed", "rampe-focus-visible", "rampe-hidden-focus", "rampe-skipped-control", "rampe-unseen-focus"]);
  });
});

/** Navigations to documents without a request, which cannot be refused. */
const WAYS_WITHOUT_REQUEST: Record<string, string> = {
  "an empty page": `location = "about:blank"`,
  "a link to an empty page": `document.getElementById("link").click()`,
  "a form that goes to an empty page": `document.getElementById("form").submit()`,
  "an empty page in the same window": `open("about:blank", "_self")`,
  "an empty page from a frame": `frames[0].eval("top.location = 'about:blank'")`,
  "a blob": `location = URL.createObjectURL(new Blob(["<title>Blob</title><p>Blob"], { type: "text/html" }))`,
  back: `history.back()`,
  "back by its name": `navigation.back()`,
  "a refresh": `document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content='0; url=about:blank'>")`,
  "a slow answer, asked for before": `addEventListener("resize", () => { location = "/slow" })`,
  "a handler that lets nobody else hear of it": `navigation.onnavigate = (event) => event.stopImmediatePropagation(); location = "about:blank"`,
};

describe("a page that would leave without a request", () => {
  const only = { only: ["image-alt", ...RULES_OF_WALK, "rampe-opens-by-keyboard", "rampe-expanded-state"] };
  const pageThat = (code: string) =>
    pageWith(
      `<button type="button" id="first" onclick="leave()">First</button><button type="button" id="opens" aria-expanded="false" onclick="panel.hidden = false; this.ariaExpanded = 'true'">Open</button><div id="panel" hidden><p>Part</p><img id="appeared" src="data:,"></div>
       <a id="link" href="about:blank">Link</a><form id="form" action="about:blank"></form><iframe title="Frame" srcdoc="" tabindex="-1"></iframe><button type="button" id="last" onfocus="this.blur()">Last</button>
       <script>const leave = () => { ${code} }; addEventListener("keydown", ({ key }) => { if (key === "Tab") leave() })</script>`,
    );
  const idsOf = (result: CheckedPage, ruleId: string) => elementsOf(result, ruleId).map(({ target }) => target.join());

  it.concurrent.each(Object.entries(WAYS_WITHOUT_REQUEST))("stays, and is used to its end: %s", async (_what, code) => {
    const site = await openSite({ "/": pageThat(code), "/slow": () => {} });
    try {
      const result = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: only });
      expect(result.partial).toEqual([]);
      expect(result.gaps.unopened).toBe(0);
      expect(idsOf(result, "rampe-focus-removed")).toEqual(["#last"]);
      expect(idsOf(result, "image-alt")).toEqual(["#bare", "#appeared"]);
    } finally {
      await site.close();
    }
  });

  it.concurrent.each([
    ["a document written by an address", {}, `location = "javascript:'<p>Written'"`],
    ["a page without an origin", { "content-security-policy": "sandbox allow-scripts" }, `location = "about:blank"`],
  ])("keeps its results, and says what was not tried, where it cannot be held: %s", async (_what, headers, code) => {
    const site = await openSite({ "/": { headers, body: pageThat(code) } });
    try {
      const result = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: only }));
      expect(result.partial).toEqual(expect.arrayContaining(only.only.slice(1)));
      expect(result.gaps.unopened).toBeGreaterThanOrEqual(1);
      expect(idsOf(result, "image-alt")).toEqual(["#bare"]);
    } finally {
      await site.close();
    }
  });
});

describe("a walk by keyboard", () => {
  const check = async (body: string, advanced = true) => {
    const site = await openSite({ "/": pageWith(body) });
    try {
      return expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced, pictures: true }));
    } finally {
      await site.close();
    }
  };

  it("finds a trap, shows it, and says what it did not reach", async () => {
    const result = await check(`<input id="trap" aria-label="Voucher" onkeydown="if (event.key === 'Tab') event.preventDefault()"><button type="button">Redeem</button>`);
    expect(elementsOf(result, "rampe-keyboard-trap")).toMatchObject([{ target: ["#trap"], picture: expect.any(Uint8Array) as Uint8Array }]);
    expect(result.partial).toEqual(expect.arrayContaining(RULES_OF_WALK.filter((id) => id !== "rampe-focus-context")));
  });

  it("goes through the whole page, also if the page sets the focus itself", async () => {
    const site = await openSite({ "/": pageWith(`<button type="button" onfocus="this.blur()">One</button><input id="two" aria-label="Two" autofocus><button type="button">Three</button>`) });
    try {
      const result = await checkWhole(scanner, { url: site.url("/"), advanced: true });
      expect(elementsOf(result, "rampe-focus-removed")).toMatchObject([{ target: ["button[onfocus=\"this.blur()\"]"] }]);
      expect(result.gaps.offline).toBe(0);
    } finally {
      await site.close();
    }
  });

  it("belongs to an advanced analysis alone", async () => {
    const result = await check(`<input aria-label="Voucher" onkeydown="if (event.key === 'Tab') event.preventDefault()">`, false);
    const known = Object.values(result.findings).flat().map(({ ruleId }) => ruleId);
    expect(known).not.toContain("rampe-keyboard-trap");
    expect(result.gaps.offline).toBeUndefined();
  });
});

describeHostileOperation("a walk through hostile pages", walked, RULES_OF_WALK);
