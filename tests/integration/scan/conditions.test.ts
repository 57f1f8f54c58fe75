import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { STAGES, type CheckedPage, type PageRequest } from "~/scan/types";
import { checkWhole } from "../../support/scan/judge-page";
import { testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const WCAG22AAA = { ...WCAG22AA, level: "AAA" as const };
/** Rules for hostile pages; of the other stages, only axe-core's result is relevant. */
const HOSTILE_RULES: Partial<PageRequest> = { rules: { only: ["image-alt", "rampe-lost-control", "rampe-sideways-scrolling", "rampe-text-spacing", "rampe-zoomed-text"] } };
const FOR_PHONES = ["rampe-lost-control", "rampe-sideways-scrolling"];
const WIDE = `<p id="wide" style="width: 700px">The ticket office is open on working days from nine in the morning, on holidays from ten.</p>`;
const FIXED = `<div id="fixed" style="height: 60px; overflow: hidden; font: 16px/20px sans-serif; width: 300px">Open on working days<br>from nine to six<br>and on holidays</div>`;
const NARROWED = `<p id="narrowed" style="width: 40%; height: 60px; overflow: hidden; font: 16px/20px monospace; margin: 0">Open on working days from nine in the morning, and on holidays from ten in the morning</p>`;

async function check(body: string, request: Partial<PageRequest> = {}, tries?: number): Promise<CheckedPage> {
  const site = await openSite({ "/": pageWith(body), "/mobile": pageWith("<p>Gone</p>") });
  try {
    return await checkWhole(scanner, { url: site.url("/"), advanced: true, pictures: true, ...request }, tries);
  } finally {
    await site.close();
  }
}

const targetsOf = ({ findings }: CheckedPage, ruleId: string) =>
  findings.violations.filter((rule) => rule.ruleId === ruleId).flatMap(({ elements }) => elements.map(({ target }) => target.join(" ")));
const idsOf = (page: CheckedPage, category: keyof CheckedPage["findings"]) => page.findings[category].map(({ ruleId }) => ruleId);

/** Width of a WebP picture, in pixels. */
const widthOf = (picture: Uint8Array) => {
  const at = Buffer.from(picture);
  return at.toString("latin1", 12, 16) === "VP8X" ? at.readUIntLE(24, 3) + 1 : at.readUInt16LE(26) & 0x3fff;
};

describe("a page in other conditions", () => {
  it("is judged there, and pictured as it is there", async () => {
    const page = await check(WIDE + FIXED);
    expect(targetsOf(page, "rampe-sideways-scrolling")).toEqual(["#wide"]);
    expect(targetsOf(page, "rampe-text-spacing")).toEqual(["#fixed"]);
    expect(page.partial).toEqual([]);
    const width = async () => {
      const { findings } = await check(WIDE);
      const picture = findings.violations.find(({ ruleId }) => ruleId === "rampe-sideways-scrolling")?.elements[0]?.picture;
      return picture ? widthOf(picture) : Infinity;
    };
    // On a busy machine the time for pictures may be over before the first one.
    await expect.poll(width).toBeLessThanOrEqual(320);
  });

  it("is judged with the texts in its open web components", async () => {
    const component = `<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(`${WIDE}${FIXED}${NARROWED}<div style="overflow: hidden"><slot></slot></div>`)}</script>`;
    const page = await check(component, { pictures: false, rules: { only: ["rampe-sideways-scrolling", "rampe-narrow-text"] } });
    expect(targetsOf(page, "rampe-sideways-scrolling")).toEqual(["#host,#wide"]);
    expect(targetsOf(page, "rampe-narrow-text")).toEqual(["#host,#narrowed"]);
    expect(page.partial).toEqual([]);
  });

  it("is judged by all rules where something can be seen on a phone alone", async () => {
    const menu = `<style>.menu { display: none } @media (max-width: 600px) { .menu { display: block } nav { display: none } }</style>
      <button id="menu" class="menu"><svg width="20" height="20"><path d="M0 0h20v20z"/></svg></button><nav><a href="/">Start</a></nav><p id="faint" class="menu" style="color: #bbb">Places</p>`;
    const page = await check(menu);
    const onPhone = (ruleId: string) => page.findings.violations.find((rule) => rule.ruleId === ruleId)?.elements.map(({ target, conditions }) => [target.join(), conditions]);
    expect(onPhone("button-name")).toEqual([["#menu", ["phone"]]]);
    expect(onPhone("color-contrast")).toEqual([["#faint", ["phone"]]]);
    const one = await check(menu, { rules: { only: ["button-name"] } });
    expect(idsOf(one, "violations")).toEqual(["button-name"]);
  });

  it("is judged by its colours again where a narrower window gives it others", async () => {
    const page = await check(`<style>@media (max-width: 700px) { #tablet { color: #bbb } } @media (max-width: 600px) { #phone { color: #bbb } }</style>
      <p id="both" style="color: #bbb">Prices</p><p id="tablet">Opening hours</p><p id="phone">Trains</p>`, { pictures: false });
    const contrast = page.findings.violations.find(({ ruleId }) => ruleId === "color-contrast");
    expect(contrast?.elements.map(({ target, conditions }) => [target.join(), conditions])).toEqual([
      ["#both", ["desktop", "zoom-200", "phone"]],
      ["#tablet", ["zoom-200", "phone"]],
      ["#phone", ["phone"]],
    ]);
    expect(page.partial).toEqual([]);
    const same = await check(`<p id="both" style="color: #bbb">Prices</p><img alt="A" src="data:," srcset="data:,a 300w, data:,b 900w" sizes="100vw">`, { pictures: false });
    expect(same.findings.violations.find(({ ruleId }) => ruleId === "color-contrast")?.conditions).toBeUndefined();
  });

  it("is judged by sizes, places and boxes that scroll again where a narrower window changes them", async () => {
    const page = await check(`<style>.small { display: inline-block; font: 10px/16px sans-serif; height: 16px } #fine { padding: 6px 20px; font: 20px/1.5 sans-serif }
      @media (max-width: 600px) { #fine { padding: 0; font: 10px/12px sans-serif; display: block } }</style>
      <div><a class="small" id="both" href="/a">A1</a><a class="small" href="/b">B1</a></div><div><button id="fine">Start</button><button id="next" style="padding: 0; font: 10px/12px sans-serif; display: block">Next</button></div>
      <div id="box" style="overflow-x: auto"><p style="width: 900px; font: 16px/1.5 sans-serif">The ticket office is open on working days from nine in the morning, on holidays from ten in the morning to six.</p></div>`, { pictures: false });
    const inConditions = (ruleId: string) => Object.fromEntries(page.findings.violations.find((rule) => rule.ruleId === ruleId)?.elements.map(({ target, conditions }) => [target.join(), conditions]) ?? []);
    expect(inConditions("target-size")).toMatchObject({ "#both": ["desktop", "zoom-200", "phone"], "#fine": ["phone"] });
    expect(inConditions("scrollable-region-focusable")).toEqual({ "#box": ["zoom-200", "phone"] });
    expect(page.partial).toEqual([]);
    const order = `<style>@media (max-width: 600px) { #box { display: flex; flex-direction: column } #second { order: -1 } }</style><div id="box"><p>Opening hours</p><p id="second">Prices</p></div>`;
    const reordered = await check(order, { pictures: false, rules: { only: ["rampe-reading-order"] } });
    expect(reordered.findings.incomplete.map(({ ruleId, conditions }) => [ruleId, conditions])).toEqual([["rampe-reading-order", ["phone"]]]);
    const same = await check(`<a href="/a" style="display: inline-block; font: 10px/12px sans-serif">A</a>`, { pictures: false });
    expect(JSON.stringify(same.findings)).not.toContain('"zoom-200"');
  });

  it("does not say that its colours pass where they do not come to rest in a narrower window", async () => {
    const page = await check(`<style>#phone { transition: color 60s } @media (max-width: 600px) { #phone { color: #bbb } }</style><p id="phone">Trains</p>${WIDE}`, { pictures: false }, 1);
    expect(page.partial).toContain("color-contrast");
    expect(targetsOf(page, "rampe-sideways-scrolling")).toEqual(["#wide"]);
  });

  it("is measured on pictures where styles do not tell, for what can be seen on a phone alone", async () => {
    const measured = async (request?: Partial<PageRequest>) => {
      const { findings, partial } = await check(`<style>#on { display: none; padding: 1rem; color: #fff; background: linear-gradient(#ddd, #eee) } @media (max-width: 600px) { #on { display: block } }</style>
        <header id="on">Ticket office</header><p>Opening hours</p>`, request);
      const failed = findings.violations.find(({ ruleId }) => ruleId === "rampe-drawn-contrast")?.elements.map(({ target, conditions }) => [target.join(), conditions]);
      return { failed, asked: findings.incomplete.filter(({ ruleId }) => ruleId === "color-contrast"), partial };
    };
    // On a busy machine the time for pictures may be over before the first one.
    await expect.poll(() => measured()).toEqual({ failed: [["#on", ["phone"]]], asked: [], partial: [] });
    await expect.poll(() => measured({ rules: { only: ["rampe-drawn-contrast"] } })).toEqual({ failed: [["#on", ["phone"]]], asked: [], partial: [] });
  });

  it("is shown as on a device for fingers on a phone alone", async () => {
    const page = await check(`<style>.finger { display: none } @media (pointer: coarse) { .finger { display: block } }</style><button id="finger" class="finger"></button>`);
    expect(page.findings.violations.find(({ ruleId }) => ruleId === "button-name")?.elements.map(({ conditions }) => conditions)).toEqual([["phone"]]);
  });

  it("is not judged by what appears by itself meanwhile", async () => {
    const page = await check(`<button id="late" hidden></button><script>addEventListener("resize", () => { late.hidden = false }, { once: true })</script>`);
    expect(idsOf(page, "violations")).not.toContain("button-name");
  });

  it("is shown as before afterwards, without a trace for its scripts", async () => {
    const page = await check(`${WIDE}<p style="line-height: 1.5">Lines</p>
      <button id="trap">Redeem</button>
      <script>
        const before = document.documentElement.outerHTML.length;
        trap.addEventListener("keydown", (event) => {
          const spacing = getComputedStyle(document.querySelector("p")).letterSpacing;
          if (innerWidth === 1280 && devicePixelRatio === 1 && spacing === "normal" && document.styleSheets.length === 0 && !document.querySelector("[popover]")) event.preventDefault();
        });
      </script>`, {}, 1);
    // The button is a trap only in the restored original state.
    expect(targetsOf(page, "rampe-keyboard-trap")).toEqual(["#trap"]);
  });

  it("gives the styles of its web components back, whose scripts never see those of the condition afterwards", async () => {
    const page = await check(`<div id="host"></div><button id="trap">Redeem</button>
      <script>
        const root = host.attachShadow({ mode: "open" });
        const own = new CSSStyleSheet();
        own.replaceSync("div { height: 60px; overflow: hidden; width: 300px; font: 16px/20px sans-serif; letter-spacing: 0 }");
        root.adoptedStyleSheets = [own];
        root.innerHTML = "<div id=inner>Open on working days<br>from nine to six<br>and on holidays</div>";
        trap.addEventListener("keydown", (event) => {
          const { lineHeight, letterSpacing } = getComputedStyle(root.getElementById("inner"));
          if (root.adoptedStyleSheets.length === 1 && root.adoptedStyleSheets[0] === own && lineHeight === "20px" && letterSpacing === "normal") event.preventDefault();
        });
      </script>`, {}, 1);
    expect(targetsOf(page, "rampe-text-spacing")).toEqual(["#host,#inner"]);
    // The button is a trap only in the restored original state.
    expect(targetsOf(page, "rampe-keyboard-trap")).toEqual(["#trap"]);
  });

  it("gives the styles of its web components back when its scripts hang or fail meanwhile", async () => {
    const inner = "<div id=inner style='line-height: 20px'>Open</div>";
    const page = await check(`<div id="host"></div><button id="trap">Redeem</button>
      <script>
        const root = host.attachShadow({ mode: "open" });
        root.innerHTML = ${JSON.stringify(inner)};
        let isBusy = false;
        new ResizeObserver(() => {
          if (isBusy || getComputedStyle(root.getElementById("inner")).lineHeight === "20px") return;
          isBusy = true;
          for (const end = performance.now() + 8000; performance.now() < end; );
        }).observe(root.getElementById("inner"));
        trap.addEventListener("keydown", (event) => {
          if (isBusy && root.adoptedStyleSheets.length === 0 && getComputedStyle(root.getElementById("inner")).lineHeight === "20px") event.preventDefault();
        });
      </script>`, {}, 1);
    expect(page.partial).toContain("rampe-text-spacing");
    expect(targetsOf(page, "rampe-keyboard-trap")).toEqual(["#trap"]);
  });

  const PANEL = `<div style="position: relative; font: 16px/20px monospace"><p id="covered" style="margin: 0">Open on working days from nine in the morning to six</p>
    <div id="panel" style="position: absolute; left: 0; right: 0; top: 20px; height: 60px; background: #fed"></div></div>`;
  const textRules = { rules: { only: ["rampe-narrow-text", "rampe-zoomed-text"] }, pictures: false };

  it("is judged by what covers its text there", async () => {
    const page = await check(PANEL, textRules);
    expect(targetsOf(page, "rampe-narrow-text")).toEqual(["#covered"]);
    expect(targetsOf(page, "rampe-zoomed-text")).toEqual([]);
    expect(page.partial).toEqual([]);
  });

  it("is judged once for each thing that covers several texts", async () => {
    const texts = `<p class="a" style="margin: 0">Open on working days from nine in the morning to six</p><p style="margin: 0">Closed on holidays</p>`;
    const page = await check(`<div style="position: relative; font: 16px/20px monospace">${texts}<div style="position: absolute; left: 0; right: 0; top: 40px; height: 60px; background: #fed"></div></div>
      <div style="position: relative; font: 16px/20px monospace">${texts}${texts}<div style="position: absolute; left: 0; right: 0; top: 80px; height: 90px; background: #fed"></div></div>`, { ...textRules, rules: { only: ["rampe-narrow-text"] } });
    expect(targetsOf(page, "rampe-narrow-text")).toHaveLength(2);
  });

  it("is not judged by what has covered its text there once", async () => {
    const moves = `let isFirst = true; addEventListener("resize", () => { panel.hidden = innerWidth < 400 && !isFirst; if (innerWidth < 400) isFirst = false })`;
    const page = await check(`${PANEL}<script>${moves}</script>`, { ...textRules, rules: { only: ["rampe-narrow-text"] } });
    expect([...idsOf(page, "violations"), ...idsOf(page, "incomplete")]).toEqual([]);
  });

  it("is not judged by a carousel that shows its pictures and texts in turn", async () => {
    const page = await check(`<div class="carousel">${PANEL}</div>`, textRules);
    expect([...idsOf(page, "violations"), ...idsOf(page, "incomplete")]).toEqual([]);
  });

  const finishing = { rules: { only: ["rampe-narrow-text", "rampe-sideways-scrolling"] }, pictures: false };

  it("is judged in part with hundreds of texts behind panels, and all else of it is", async () => {
    const page = await check(PANEL.replace(/ id="\w+"/g, "").repeat(200), finishing, 1);
    expect(idsOf(page, "violations")).toContain("rampe-narrow-text");
    expect(idsOf(page, "passes")).toContain("rampe-sideways-scrolling");
    expect(page.partial).toEqual(["rampe-narrow-text"]);
  });

  it("is judged in part where too much lies over its texts, deep inside, and all else of it is", async () => {
    const fills = (name: string, content: string, count: number) => `'<${name} style="position: absolute; inset: 0">${content}</${name}>'.repeat(${count})`;
    const deep = `let inner = document.body; for (let level = 0; level < 100; level += 1) inner = inner.appendChild(document.createElement("div"))`;
    const page = await check(`<p>Hours</p><script>${deep}; inner.innerHTML = ${fills("i", "Open", 20)} + ${fills("b", "", 5_100)}</script>`, finishing, 1);
    expect([idsOf(page, "passes"), page.partial]).toEqual([["rampe-sideways-scrolling"], ["rampe-narrow-text"]]);
  });

  it("is judged as people see it who have zoomed in", async () => {
    const page = await check(NARROWED);
    expect(targetsOf(page, "rampe-zoomed-text")).toEqual(["#narrowed"]);
    expect(page.partial).toEqual([]);
  });

  it("is judged, at the highest level, as people see it who ask for less motion", async () => {
    const glides = `html { scroll-behavior: smooth }`;
    const body = (style: string) => `<style>${style}</style><a href="#prices">Prices</a><div style="height: 3000px"></div><p id="prices">Two euros</p>`;
    expect(idsOf(await check(body(glides), { standard: WCAG22AAA }), "incomplete")).toContain("rampe-reduced-motion");
    const page = await check(body(`@media (prefers-reduced-motion: no-preference) { ${glides} }`), { standard: WCAG22AAA });
    expect(idsOf(page, "passes")).toContain("rampe-reduced-motion");
    expect(page.partial).toEqual([]);
  });

  it("passes the rules for which it does not change", async () => {
    const page = await check("<p>Opening hours</p>");
    expect(idsOf(page, "passes")).toEqual(expect.arrayContaining([...FOR_PHONES, "rampe-text-spacing", "rampe-zoomed-text"]));
    expect(page.partial).toEqual([]);
  });

  it("is a stage of its own, with its time and limit", async () => {
    const { stages = [], durationMs } = await check("<p>Opening hours</p>");
    expect(STAGES.filter((name) => stages.some(({ stage }) => stage === name))).toEqual(stages.map(({ stage }) => stage));
    expect(stages.map(({ stage }) => stage)).toEqual(expect.arrayContaining(["analysis", "conditions", "use"]));
    expect(stages.every(({ ms, limitMs }) => ms > 0 && limitMs > 0)).toBe(true);
    expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(durationMs + stages.length);
  });

  it("can be checked for one rule alone", async () => {
    const page = await check(WIDE + FIXED, { rules: { only: ["rampe-text-spacing"] } });
    expect(idsOf(page, "violations")).toEqual(["rampe-text-spacing"]);
    const passed = await check(WIDE, { rules: { only: ["rampe-text-spacing"] } });
    expect([...idsOf(passed, "violations"), ...idsOf(passed, "passes")]).toEqual(["rampe-text-spacing"]);
  });

  it("belongs to an advanced analysis alone", async () => {
    const page = await check(WIDE + FIXED, { advanced: false });
    expect(Object.values(page.findings).flat().map(({ ruleId }) => ruleId)).not.toContain("rampe-sideways-scrolling");
  });

  it("is judged with what scripts make of it", async () => {
    const page = await check(`<button id="search">Search</button> <button id="wide">Advanced search</button>
      <script>addEventListener("resize", () => { wide.hidden = innerWidth < 600 })</script>`);
    expect(targetsOf(page, "rampe-lost-control")).toEqual(["#wide"]);
  });

  it.each([
    ["a listener", `addEventListener("resize", later)`],
    ["an attribute of the body", `document.body.setAttribute("onresize", "later()")`],
    ["the visual viewport", `visualViewport.addEventListener("resize", later)`],
  ])("is judged with what scripts make of it when the window has come to rest: %s", async (_name, listen) => {
    const page = await check(`<button id="search">Search</button> <button id="wide">Advanced search</button>
      <script>let timer; function later() { clearTimeout(timer); timer = setTimeout(() => { wide.hidden = innerWidth < 600 }, 200) } ${listen}</script>`, { rules: { only: ["rampe-lost-control"] } });
    expect(targetsOf(page, "rampe-lost-control")).toEqual(["#wide"]);
  });

  it.each([
    ["may open what is missing", `<style>@media (max-width: 600px) { #wide { display: none } }</style><button>Search</button> <button id="wide">Advanced search</button><x-box>Places</x-box>`, "closed"],
    ["is missing itself", `<style>@media (max-width: 600px) { x-box { display: none } }</style><button>Search</button> <x-box></x-box>`, "open"],
  ])("does not say that nothing is missing where a web component %s", async (_name, markup, mode) => {
    const script = `<script>customElements.define("x-box", class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: "${mode}" }).innerHTML = "<button>Help</button>" } })</script>`;
    const page = await check(markup + script, { rules: { only: ["rampe-lost-control"] } }, 1);
    expect(page.partial).toEqual(["rampe-lost-control"]);
    expect(Object.values(page.findings).flat()).toEqual([]);
  });

  it("does not miss controls that the page takes away by itself", async () => {
    const page = await check(`<button id="search">Search</button> <button id="offer">Our offer</button>
      <script>addEventListener("resize", () => { offer.hidden = true })</script>`);
    expect(targetsOf(page, "rampe-lost-control")).toEqual([]);
  });

  it("keeps its usual pictures when it leads to another page for phones", async () => {
    const isPictured = async () => {
      const { findings } = await check(`<input id="field"><script>addEventListener("resize", () => { location = "/mobile" })</script>`, { rules: { only: ["label", ...FOR_PHONES] } }, 1);
      return findings.violations.find(({ ruleId }) => ruleId === "label")?.elements[0]?.picture !== undefined;
    };
    // On a busy machine the time for pictures may be over before the first one.
    await expect.poll(isPictured).toBe(true);
  });

  it.each([
    ["a script that never lets go when the window changes", `<script>addEventListener("resize", () => { for (;;); })</script>`],
    ["another page for phones", `<script>addEventListener("resize", () => { location = "/mobile" })</script>`],
    ["a window that is never at rest", `<script>addEventListener("resize", () => setInterval(() => document.querySelector("main").append("Text "), 1))</script>`],
    ["20,000 words in one place", `<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<b style='position:absolute;top:0'>Word</b>".repeat(20000))</script>`],
    ["500 words in one place", `<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<b style='position:absolute;top:0'>Word</b>".repeat(500))</script>`],
    ["a form whose fields hide its properties", `<form style="overflow: hidden"><input name="parentElement" aria-label="A"><input name="contains" aria-label="B"><p>Text</p></form>`],
    ["boxes in boxes in boxes", `<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<div style='overflow:hidden'>Text".repeat(400))</script>`],
  ])("ends in its budget, and keeps the other results: %s", async (_what, body) => {
    const page = await check(`<img width="40" height="40" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">${WIDE}${body}`, HOSTILE_RULES, 1);
    expect(idsOf(page, "violations")).toContain("image-alt");
    for (const id of FOR_PHONES) expect([...page.partial, ...idsOf(page, "violations"), ...idsOf(page, "passes")]).toContain(id);
    expect(page.durationMs).toBeLessThan(60_000);
  });
});
