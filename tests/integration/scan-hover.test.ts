import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { judgeByScan } from "../support/judge-page";
import { readRuleCases } from "../support/rule-cases";
import { expectChecked, testScanner, WCAG22AA } from "../support/scanner";
import { openSite, pageWith, type Site } from "../support/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 30 });
afterAll(() => scanner.stop());

describe("rules about what appears below the pointer", () => {
  const cases = readRuleCases().filter(({ ruleId }) => CONDITION_OF.get(ruleId) === "hover");
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.each(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }) => {
    expect(await judgeByScan(scanner, site.url(`/${index}`), ruleId)).toBe(expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

/** Each has a picture without a text, which must be found whatever the pointer does. */
const HOSTILE: Record<string, string> = {
  "a handler that never ends": `<button type="button" onmouseenter="for (;;);">Fares</button>`,
  "an element that flees": `<button type="button" id="b" onmouseenter="this.style.marginLeft = Math.random() * 500 + 'px'">Fares</button>`,
  "a page that goes away": `<button type="button" onmouseenter="document.documentElement.replaceChildren()">Fares</button>`,
  "an address to leave to, windows and dialogs": `<button type="button" onmouseenter="open('/out/w'); alert(1); location = '/out/l'">Fares</button>`,
  "hints in hints": `<div id="m"></div><script>let n = 0; const more = (where) => { const b = document.createElement("button"); b.type = "button"; b.className = "c" + n; b.textContent = "Hint " + n++; b.onmouseenter = () => more(b); where.append(b) }; more(m)</script>`,
  "10,000 elements that hear the pointer": `<script>document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 10000 }, (_, n) => '<i class="c' + n + '" onmouseenter="this.textContent += 1">' + n + "</i> ").join(""))</script>`,
};

/** Where the rule cannot see all, which must be said. */
const UNFINISHED = ["a handler that never ends", "10,000 elements that hear the pointer"];

describe("the pointer on hostile pages", () => {
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

  it.concurrent.each(names)("%s", async (name) => {
    const page = expectChecked(await patient.check({ url: site.url(`/${names.indexOf(name)}`), standard: WCAG22AA, advanced: true }));
    if (UNFINISHED.includes(name)) expect(page.partial).toContain("rampe-hover-content");
    expect(page.findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(page.durationMs).toBeLessThan(pageSeconds * 1_000);
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
  });
});
