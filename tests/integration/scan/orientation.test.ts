import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { judgeByScan, checkWhole } from "../../support/scan/judge-page";
import { readRuleCases } from "../../support/scan/rule-cases";
import { testScanner } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const RULE = "rampe-turned-device";
const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 30 });
afterAll(() => scanner.stop());

const TEXT = "<p>The ticket office is open on working days from nine in the morning, on holidays from ten.</p>";
const UPRIGHT = `<p id="ask" hidden>Please rotate your device.</p><div id="all">${TEXT}</div>
  <script>const show = () => { ask.hidden = innerWidth > innerHeight; all.hidden = !ask.hidden }; addEventListener("resize", show); show()</script>`;
const TURNING = `const turn = () => { document.body.style.rotate = screen.orientation.type.startsWith("portrait") ? "90deg" : "" }; addEventListener("resize", turn);`;
const script = (body: string) => ({ headers: { "content-type": "text/javascript" }, body });
const SCRIPTS = {
  "/screen.js": script(`${TURNING} screen.orientation.addEventListener("change", turn)`),
  "/window.js": script(`${TURNING} addEventListener("orientationchange", turn)`),
};
const PAGES: Record<string, string> = {
  "/upright": UPRIGHT,
  "/told": `<style>@media (orientation: portrait) { body { transform: rotate(90deg) } }</style>${TEXT}`,
  "/screen": `${TEXT}<script src="/screen.js"></script>`,
  "/window": `${TEXT}<script src="/window.js"></script>`,
  "/after": `${UPRIGHT}<button id="trap">Redeem</button><script>trap.addEventListener("keydown", (event) => {
    const { type, angle } = screen.orientation;
    if (innerWidth === 1280 && type === "landscape-primary" && angle === 0) event.preventDefault();
  })</script>`,
  "/endless": `${TEXT}<style>@media (orientation: portrait) { p { margin: 0 } }</style><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9" height="9"><script>addEventListener("resize", () => { if (innerWidth === 640 && innerHeight === 360) for (;;); })</script>`,
  "/clobbered": `${UPRIGHT}<form>${["parentElement", "textContent", "innerText", "children"].map((name) => `<label>${name} <input name="${name}"></label>`).join("")}</form>`,
  "/counting": `${TEXT}<output id="sizes">0</output><script>addEventListener("resize", () => { fetch("/resized") })</script>`,
};

describe("a page on a phone that is turned", () => {
  const cases = readRuleCases().filter(({ ruleId }) => ruleId === RULE);
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ ...Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])), ...Object.fromEntries(Object.entries(PAGES).map(([path, body]) => [path, pageWith(body)])), ...SCRIPTS });
  });
  afterAll(() => site.close());

  it.concurrent.each(cases.map((each, index) => ({ ...each, index })))("$expected: $title", async ({ expected, index }) => {
    expect(await judgeByScan(scanner, site.url(`/${index}`), RULE)).toBe(expected);
  });

  it("fails in the orientation that people hold, with the request as its element", async () => {
    const { findings, partial } = await checkWhole(scanner, { url: site.url("/upright"), advanced: true, rules: { only: [RULE] } });
    expect(partial).toEqual([]);
    expect(findings.violations).toMatchObject([{ ruleId: RULE, conditions: ["portrait"], elements: [{ target: ["#ask"], conditions: ["portrait"] }] }]);
  });

  it.each(["/screen", "/window"])("is told by the browser how it is held, and known by the listeners of its scripts (%s)", async (path) => {
    expect(await judgeByScan(scanner, site.url(path), RULE)).toBe("failed");
  });

  it("is held as before afterwards", async () => {
    const { findings } = await checkWhole(scanner, { url: site.url("/after"), advanced: true, rules: { only: [RULE, "rampe-keyboard-trap"] } });
    // The button is a trap only in the restored original state.
    expect(findings.violations.map(({ ruleId }) => ruleId)).toContain("rampe-keyboard-trap");
  });

  it("keeps its other results where it hangs once it is turned, and the rule is named", async () => {
    const { findings, partial } = await checkWhole(scanner, { url: site.url("/endless"), advanced: true, rules: { only: [RULE, "image-alt"] } }, 1);
    expect(findings.violations.map(({ ruleId }) => ruleId)).toEqual(["image-alt"]);
    expect(partial).toEqual([RULE]);
  });

  it("is judged where a form hides the names of properties", async () => {
    const { partial, findings } = await checkWhole(scanner, { url: site.url("/clobbered"), advanced: true, rules: { only: [RULE] } });
    expect(partial).toEqual([]);
    expect(findings.incomplete.map(({ ruleId }) => ruleId)).toEqual([RULE]);
  });

  it("is not told twice what its style sheets told", async () => {
    const { findings } = await checkWhole(scanner, { url: site.url("/told"), advanced: true, rules: { only: [RULE, "rampe-orientation-lock"] } });
    expect(findings.violations.map(({ ruleId }) => ruleId)).toEqual(["rampe-orientation-lock"]);
    expect(findings.inapplicable.map(({ ruleId }) => ruleId)).toContain(RULE);
  });

  it("is not turned where nothing looks at the orientation", async () => {
    expect(await judgeByScan(scanner, site.url("/counting"), RULE)).toBe("inapplicable");
    expect(site.requests).not.toContain("/resized");
  });
});
