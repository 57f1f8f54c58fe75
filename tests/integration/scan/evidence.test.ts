import type { Browser } from "puppeteer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage, ElementContext, ElementResult, Scanner } from "~/scan/types";
import { openBrowser } from "../../support/browser/browser";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const image = (id: string, style = "") => `<img id="${id}" src="${GIF}" ${style && `style="${style}"`}>`;
const document = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body>${body}</body></html>`;

const PLACES = document(`
  <header>${image("in-header")}</header>
  <nav aria-label="Products">${image("in-nav")}<button id="nameless"></button></nav>
  <h1 aria-hidden="true">Not read</h1><h2 hidden>Not shown</h2>
  ${image("nowhere")}
  <main>
    <h1>Offers <em>of the week</em></h1>
    <section aria-labelledby="chairs">
      <h2 id="chairs"><img alt="Chairs" src="${GIF}">${image("in-heading")}</h2>
      <p><a href="#a" style="color:#bbb;background:#fff">A faint link</a></p>
      <h3></h3><div role="heading" aria-level="3">Arm${"x".repeat(300)}</div>${image("after-long")}
    </section>
    <div id="host"></div>
    <iframe title="Inside" srcdoc="<html lang=en><title>In</title><main><h1>In a frame</h1>${image("framed").replaceAll('"', "&quot;")}</main></html>"></iframe>
  </main>
  <script>
    document.getElementById("host").attachShadow({ mode: "open" }).innerHTML =
      '<h2>In the shadow</h2>${image("shaded")}';
  </script>`);

const PICTURES = document(
  `<main style="padding: 20px"><h1>Pictures</h1>
  ${image("small", "width:40px;height:20px")}
  ${image("second", "width:40px;height:20px")}${image("third", "width:40px;height:20px")}${image("fourth")}
  <div style="height:200px;width:300px;overflow:auto"><div style="height:3000px"></div><button id="far"></button></div>
  <div style="height:4000px"></div><a id="link" href="#x" style="display:block;width:3000px;height:2000px"></a></main>`,
  '<meta name="viewport" content="width=device-width, user-scalable=no">',
);

const INSTRUCTION = "Press the round button on the right.";
const QUESTIONS = document(
  `<main><h1>Help</h1><p id="asked">${INSTRUCTION}</p><div id="host"></div><p id="unseen" style="opacity:0">${INSTRUCTION}</p></main>
  <script>document.getElementById("host").attachShadow({ mode: "open" }).innerHTML = '<p id="inner">${INSTRUCTION}</p>';</script>`,
);

const WALK = document(
  `<a href="#main">Skip to content</a><main id="main"><h1>Walk</h1>
  <button type="button" style="position:absolute;left:500px;top:400px;width:100px;height:40px">Buy <b>now</b></button>
  <input aria-label="${"long ".repeat(100)}"><a href="#nothing" style="position:absolute;width:0;height:0;overflow:hidden"></a>
  <div style="height:9000px"></div><a id="low" href="#low">Imprint</a></main>`,
);

const MANY = document(
  `<main><h1>Many</h1>${["button", "a href='#'", "input", "select", "textarea", "iframe src='about:blank'", "object", "meter"]
    .map((tag) => `<p>${`<${tag} style="display:inline-block;width:30px;height:30px"></${tag.split(" ")[0]}>`.repeat(5)}</p>`)
    .join("")}</main>`,
);

let site: Site;
let scanner: Scanner;

beforeAll(async () => {
  site = await openSite({
    "/places": PLACES,
    "/pictures": PICTURES,
    "/many": MANY,
    "/walk": WALK,
    "/questions": QUESTIONS,
    "/stubborn": pageWith(
      `<div style="height:3000px"></div>${image("low")}<script>onscroll = () => { for (;;); }</script>`,
    ),
    "/hostile": {
      headers: { "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'" },
      body: pageWith(
        `<dialog open>Dialog</dialog>`,
        "<style>* { display: block !important } div { border-color: blue !important; opacity: 0 !important } [popover] { visibility: hidden !important }</style>",
      ),
    },
  });
  scanner = testScanner();
});
afterAll(async () => {
  await scanner.stop();
  await site.close();
});

const check = async (path: string, pictures = false): Promise<CheckedPage> =>
  expectChecked(await scanner.check({ url: site.url(path), standard: WCAG22AA, pictures }));

/** Elements of violations by rule and selector. */
function elementsOf({ findings }: CheckedPage): Record<string, ElementResult> {
  return Object.fromEntries(
    findings.violations.flatMap(({ ruleId, elements }) =>
      elements.map((element) => [`${ruleId} ${element.target.join(" >> ")}`, element]),
    ),
  );
}

describe("the context of an element is given by", () => {
  let contexts: Record<string, ElementContext | undefined>;
  beforeAll(async () => {
    const elements = elementsOf(await check("/places"));
    contexts = Object.fromEntries(Object.entries(elements).map(([name, { context }]) => [name, context]));
  });

  it.each<[string, string, ElementContext]>([
    ["a landmark without a name", "image-alt #in-header", { role: "img", landmark: { role: "banner", name: "" } }],
    ["a landmark by its name", "image-alt #in-nav", { role: "img", landmark: { role: "navigation", name: "Products" } }],
    ["no invisible heading, and no landmark if there is none", "image-alt #nowhere", { role: "img" }],
    [
      "the heading around it, and the innermost landmark",
      "image-alt #in-heading",
      { role: "img", landmark: { role: "region", name: "Chairs" }, heading: "Chairs" },
    ],
    [
      "its name and role",
      "color-contrast a",
      { role: "link", name: "A faint link", landmark: { role: "region", name: "Chairs" }, heading: "Chairs" },
    ],
    [
      "the beginning of a long text, and no empty heading",
      "image-alt #after-long",
      { role: "img", landmark: { role: "region", name: "Chairs" }, heading: `Arm${"x".repeat(197)}` },
    ],
    [
      "in an open shadow root",
      "image-alt #host,#shaded",
      { role: "img", landmark: { role: "main", name: "" }, heading: "In the shadow" },
    ],
    [
      "in a frame",
      "image-alt iframe >> #framed",
      { role: "img", landmark: { role: "main", name: "" }, heading: "In a frame" },
    ],
    ["no name if the missing name is the problem", "button-name #nameless", { role: "button", landmark: { role: "navigation", name: "Products" } }],
  ])("%s", (_what, element, expected) => {
    expect(contexts[element]).toEqual(expected);
  });
});

describe("the picture of an element", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** Size of a picture, and number of pixels in the colour of the outline. */
  async function look(picture: Uint8Array | undefined) {
    if (!picture) return undefined;
    const page = await browser.newPage();
    try {
      return await page.evaluate(async (base64) => {
        const answer = await fetch(`data:image/webp;base64,${base64}`);
        const bitmap = await createImageBitmap(await answer.blob());
        const { width, height } = bitmap;
        const canvas = new OffscreenCanvas(width, height).getContext("2d");
        canvas?.drawImage(bitmap, 0, 0);
        const { data = [] } = canvas?.getImageData(0, 0, width, height) ?? {};
        let outlined = 0;
        for (let at = 0; at < data.length; at += 4)
          // Such pictures store colours with half the resolution.
          if ((data[at] ?? 0) > 150 && (data[at + 1] ?? 0) < 100 && Math.abs((data[at + 2] ?? 0) - 91) < 60) outlined += 1;
        return { width, height, outlined };
      }, Buffer.from(picture).toString("base64"));
    } finally {
      await page.close();
    }
  }

  it("is only taken on request", async () => {
    const elements = Object.values(elementsOf(await check("/pictures")));
    expect(elements.filter(({ picture }) => picture)).toEqual([]);
  });

  it("is taken of the first three of a rule, outlined, with their surroundings", async () => {
    const elements = elementsOf(await check("/pictures", true));
    for (const id of ["small", "second", "third"]) {
      const { picture } = elements[`image-alt #${id}`] ?? {};
      expect(picture?.length).toBeLessThan(100_000);
      const seen = await look(picture);
      expect(seen).toMatchObject({ width: 360, height: 200 });
      // Two lines of 3 px around 46 × 26.
      expect(seen?.outlined).toBeGreaterThan(300);
    }
    expect(elements["image-alt #fourth"]?.picture).toBeUndefined();
  });

  it("is taken after scrolling, and shows the beginning of a large element", async () => {
    const elements = elementsOf(await check("/pictures", true));
    expect((await look(elements["button-name #far"]?.picture))?.outlined).toBeGreaterThan(100);
    const large = await look(elements["link-name #link"]?.picture);
    expect(large).toMatchObject({ width: 900, height: 600 });
    expect(large?.outlined).toBeGreaterThan(1_000);
  });

  it("is missing for an invisible element", async () => {
    const elements = elementsOf(await check("/pictures", true));
    const viewport = Object.entries(elements).find(([name]) => name.startsWith("meta-viewport"));
    expect(viewport?.[1].html).toContain("user-scalable");
    expect(viewport?.[1].picture).toBeUndefined();
  });

  it("is taken of at most 30 elements, the first of each rule before others", async () => {
    const { findings } = await check("/many", true);
    const taken = findings.violations.map(({ elements }) => elements.map(({ picture }) => picture !== undefined));
    expect(taken.every((each) => each[0] && !each[3])).toBe(true);
    expect(taken.flat().filter(Boolean).length).toBeLessThanOrEqual(30);
  });

  it("is taken of what a person must judge, where advanced analyses run", async () => {
    const own = testScanner({ ruleTexts: { ...texts, criteria } });
    const questions = async (advanced: boolean) => {
      const rules = { only: ["rampe-sensory-instruction"] };
      const { findings } = expectChecked(await own.check({ url: site.url("/questions"), standard: WCAG22AA, rules, advanced, pictures: true }));
      return Object.fromEntries(findings.incomplete.flatMap(({ elements }) => elements.map(({ target, picture }) => [target.flat().at(-1), picture])));
    };
    const asked = await questions(true);
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(["#asked", "#inner"]));
    expect((await look(asked["#asked"]))?.outlined).toBeGreaterThan(300);
    expect((await look(asked["#inner"]))?.outlined).toBeGreaterThan(300);
    expect(asked["#unseen"]).toBeUndefined();
    expect(Object.values(await questions(false)).some((picture) => picture !== undefined)).toBe(false);
    await own.stop();
  });

  it("has an outline despite the page's styles and policies", async () => {
    const elements = elementsOf(await check("/hostile", true));
    expect((await look(elements["image-alt #bare"]?.picture))?.outlined).toBeGreaterThan(50);
  });

  it("never costs a page its result: one that hangs when scrolled has no picture", async () => {
    const page = await check("/stubborn", true);
    expect(Object.keys(elementsOf(page))).toEqual(["image-alt #bare", "image-alt #low"]);
    expect(page.gaps.unfinished).toBe(false);
  });
});

describe("the walk with the Tab key", () => {
  let own: Scanner;
  beforeAll(() => {
    own = testScanner({ ruleTexts: { ...texts, criteria } });
  });
  afterAll(() => own.stop());

  const walkOf = async (options: { advanced?: boolean; pictures?: boolean }) =>
    expectChecked(await own.check({ url: site.url("/walk"), standard: WCAG22AA, rules: { only: ["rampe-focus-visible"] }, ...options })).walk;

  it("is described with each stop's name, role and place, and one picture of limited size", async () => {
    const walk = await walkOf({ advanced: true, pictures: true });
    expect(walk).toMatchObject({ count: 5, isWhole: true, picture: { width: 1280, height: 5_000 } });
    const named = (name: string) => walk?.stops.findIndex((stop) => stop.name.startsWith(name)) ?? -1;
    expect([named("Skip to content"), named("Buy now"), named("long"), named("Imprint")]).toEqual([0, 1, 2, 4]);
    expect(walk?.stops[1]).toEqual({ name: "Buy now", role: "button", box: { x: 500, y: 400, width: 100, height: 40 } });
    expect(walk?.stops[2]).toMatchObject({ role: "textbox" });
    expect(walk?.stops[2]?.name.length).toBe(100);
    expect(walk?.stops[3]).toMatchObject({ name: "", role: "link", box: null });
    expect(walk?.stops[4]?.box?.y).toBeGreaterThan(9_000);
    const { image } = walk?.picture ?? {};
    expect(image?.length).toBeLessThan(400_000);
    expect(Buffer.from(image ?? []).toString("latin1", 8, 12)).toBe("WEBP");
  });

  it("is neither walked nor described without advanced analyses, nor described without pictures", async () => {
    expect(await walkOf({ pictures: true })).toBeUndefined();
    expect(await walkOf({ advanced: true })).toBeUndefined();
  });
});

describe("the picture of a whole page", () => {
  const pictured = async (more: object) => expectChecked(await scanner.check({ url: site.url("/pictures"), standard: WCAG22AA, ...more }));

  it("is taken if asked for, of limited size, with where the first elements of each violation are in it", async () => {
    const page = await pictured({ pictures: true, pagePicture: true });
    expect(page.picture).toMatchObject({ width: 1280, height: 5_000 });
    expect(page.picture?.image.length).toBeLessThan(400_000);
    expect(Buffer.from(page.picture?.image ?? []).toString("latin1", 8, 12)).toBe("WEBP");
    const elements = elementsOf(page);
    expect(elements["image-alt #small"]?.box).toMatchObject({ width: 40, height: 20 });
    expect(elements["image-alt #second"]?.box?.y).toBeGreaterThanOrEqual(elements["image-alt #small"]?.box?.y ?? Infinity);
    // Limit of three pictures per rule.
    expect(elements["image-alt #fourth"]?.box).toBeUndefined();
  });

  it("is not taken otherwise", async () => {
    const page = await pictured({ pictures: true });
    expect(page.picture).toBeUndefined();
    expect(Object.values(elementsOf(page)).some(({ box }) => box)).toBe(false);
  });
});
