import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { KEY_RULES } from "~/scan/rules/rampe/index";
import { judgeByScan } from "../support/judge-page";
import { readRuleCases } from "../support/rule-cases";
import { expectChecked, testScanner, WCAG22AA } from "../support/scanner";
import { openSite, pageWith, type Site } from "../support/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

describe("rules about keys", () => {
  const cases = readRuleCases().filter(({ ruleId }) => KEY_RULES.has(ruleId));
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.each(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }) => {
    expect(await judgeByScan(scanner, site.url(`/${index}`), ruleId)).toBe(expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

/** Each has a picture without a text, which must be found whatever the keys do. */
const HOSTILE: Record<string, string> = {
  "a handler of arrow keys that never ends": `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3" style="width: 24px; height: 24px">3</div><script>addEventListener("keydown", (event) => { if (event.key.startsWith("Arrow")) for (;;); })</script>`,
  "a widget that removes itself on each key, and comes back": `<div id="w"></div><script>let n = 0; const put = () => { w.innerHTML = '<ul role="listbox" aria-label="Town" tabindex="0"><li role="option">A' + n++ + '</li><li role="option">B</li></ul>'; w.firstChild.onkeydown = put }; put()</script>`,
  "a button that removes the whole page": `<span role="button" tabindex="0" onkeydown="document.documentElement.replaceChildren()">Close</span>`,
  "5,000 widgets": `<script>document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 5000 }, (_, n) => '<span role="button" class="c' + n + '" tabindex="0">' + n + "</span> ").join(""))</script>`,
  "a click that hangs": `<span role="button" tabindex="0" onclick="for (;;);">Open</span>`,
  "keys that ask for windows, dialogs and other pages": `<span role="button" tabindex="0" onkeydown="open('/out/w'); alert(1); confirm(2); print(); location = '/out/l'">Open</span>`,
  "an element more for each key": `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3">3</div><script>addEventListener("keydown", () => { for (let n = 0; n < 2000; n++) document.querySelector("main").append(document.createElement("hr")) })</script>`,
  "focus that flees": `<span role="button" id="a" tabindex="0">A</span><span role="button" id="b" tabindex="0" class="b">B</span><script>a.onfocus = () => b.focus(); b.onfocus = () => a.focus()</script>`,
};

describe("keys on hostile pages", () => {
  const names = Object.keys(HOSTILE);
  const pageSeconds = 20;
  const patient = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds });
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(names.map((name, index) => [`/${index}`, pageWith(HOSTILE[name] ?? "")])));
  });
  afterAll(async () => {
    await patient.stop();
    await site.close();
  });

  const check = async (name: string) => expectChecked(await patient.check({ url: site.url(`/${names.indexOf(name)}`), standard: WCAG22AA, advanced: true }));

  it.each(names)("%s", async (name) => {
    const page = await check(name);
    expect(page.findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(page.durationMs).toBeLessThan(pageSeconds * 1_000);
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
  });

  it("a rule that could not see all is named", async () => {
    for (const name of ["a handler of arrow keys that never ends", "5,000 widgets"]) expect((await check(name)).partial).toContain("rampe-widget-keys");
  });
});
