import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CATEGORIES, CheckedPage, PageRequest } from "~/scan/types";
import { checkWhole } from "../../../support/scan/judge-page";
import { testScanner } from "../../../support/scan/scanner";
import { openSite, pageWith } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

async function check(body: string, request: Partial<PageRequest> = {}): Promise<CheckedPage> {
  const site = await openSite({ "/": pageWith(body) });
  try {
    return await checkWhole(scanner, { url: site.url("/"), advanced: true, pictures: true, ...request });
  } finally {
    await site.close();
  }
}

const NAMELESS = `<a id="nameless" href="/cart"><svg width="20" height="20"><path d="M0 0h20v20z"/></svg></a>`;
const MENU = `<nav id="menu" aria-label="Pages" hidden><a href="/shop">Shop</a>${NAMELESS}</nav><p>Welcome</p>`;
const TOGGLE = `<script>burger.addEventListener("click", () => menu.hidden = !menu.hidden)</script>`;
const LINES = `<style>#burger { width: 40px; height: 40px } #burger i { display: block; height: 4px; margin: 6px; background: #000 }</style><div><div id="burger" class="hamburger"><i></i><i></i><i></i></div></div>`;
const PHONE_ONLY = `<style>#burger { display: none } @media (max-width: 600px) { #burger { display: block } .bar { display: none } }</style><nav class="bar" aria-label="Main"><a href="/start">Start</a></nav>`;

/** Elements of a rule, with the view in which they are and the way there. */
const found = ({ findings }: CheckedPage, ruleId: string, category: (typeof CATEGORIES)[number] = "violations") =>
  findings[category].filter((rule) => rule.ruleId === ruleId).flatMap(({ elements }) => elements.map(({ target, conditions, context }) => [target.join(), conditions, context?.opened]));

/** Rules that report an element as out of reach for the keyboard, or ask about it. */
const unreached = (page: CheckedPage) =>
  ["rampe-opens-by-keyboard", "rampe-scripted-control", "rampe-mouse-only"].flatMap((id) => (["violations", "incomplete"] as const).flatMap((category) => found(page, id, category).map(([target, conditions]) => [id, category, target, conditions])));

describe("an element that opens something, and that no key reaches", () => {
  it.each([
    ["a word", `<span id="burger" style="cursor: pointer">Menü</span>${MENU}${TOGGLE}`, "Menü", "rampe-scripted-control"],
    ["a picture", `<div><svg id="burger" width="30" height="30" style="cursor: pointer"><title>Menü</title><path d="M0 0h30v5H0z"/></svg></div>${MENU}${TOGGLE}`, "Menü", "rampe-scripted-control"],
    ["code in an attribute", `<div id="burger" style="cursor: pointer; width: 60px" onclick="menu.hidden = !menu.hidden">Menü</div>${MENU}`, "Menü", "rampe-mouse-only"],
    ["three lines without a word", `${LINES}${MENU}${TOGGLE}`, "div#burger", "rampe-opens-by-keyboard"],
  ])("is clicked: what it opens is judged, and it is reported once: %s", async (_what, body, name, ruleId) => {
    const page = await check(body);
    expect(found(page, "link-name")).toEqual([["#nameless", ["opened"], name]]);
    expect(unreached(page)).toEqual([[ruleId, "violations", "#burger", undefined]]);
    expect(page.findings.violations.find((rule) => rule.ruleId === ruleId)?.elements[0]?.picture?.byteLength).toBeGreaterThan(0);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
  });

  it("is clicked where it exists only on a phone", async () => {
    const page = await check(`${LINES}${PHONE_ONLY}${MENU}${TOGGLE}`);
    expect(found(page, "link-name")).toEqual([["#nameless", ["phone"], "div#burger"]]);
    expect(unreached(page)).toEqual([["rampe-opens-by-keyboard", "violations", "#burger", ["phone"]]]);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
  });

  it("closes what it has opened over the whole page, so that the rest can be used", async () => {
    const page = await check(`${LINES}<div id="menu" hidden style="position: fixed; inset: 0; background: #fff"><span onclick="menu.hidden = true" style="cursor: pointer">×</span><a href="/shop">Shop</a>${NAMELESS}</div>
      <button type="button" id="late" aria-expanded="false" onclick="more.hidden = !more.hidden; this.ariaExpanded = String(!more.hidden)">More</button><p id="more" hidden>Text</p>
      <script>burger.addEventListener("click", () => menu.hidden = false)</script>`);
    expect(found(page, "link-name")).toEqual([["#nameless", ["opened"], "div#burger"]]);
    expect(found(page, "rampe-opens-by-keyboard").map(([target]) => target)).toEqual(["#burger"]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-opens-by-keyboard")?.elementCount).toBe(1);
  });

  it("is left alone if it closes something, turns a slide, or stands in a control", async () => {
    const clicked = (name: string) => `document.title += " ${name}"; extra.hidden = false`;
    const page = await check(`<div id="note">Sale <span class="close" style="cursor: pointer" onclick='${clicked("closed")}'>×</span></div>
      <div class="slick-next" style="cursor: pointer" onclick='${clicked("turned")}'>Ulm</div><a href="#a"><span class="menu" onclick='${clicked("link")}'>Trains</span></a><div id="extra" hidden>${NAMELESS}</div>`);
    expect(found(page, "link-name")).toEqual([]);
  });
});
