import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { KEY_RULES } from "~/scan/rules/rampe/index";
import { checkWhole, judgeByScan } from "../support/judge-page";
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

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }, { expect }) => {
    // On a busy machine, an effect may come too late to be seen.
    await expect.poll(() => judgeByScan(scanner, site.url(`/${index}`), ruleId)).toBe(expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

test("a control that was tried is not asked about again, and not reported twice", async () => {
  const markup = `<div role="button" tabindex="0" id="works" class="a">Add</div><div role="button" tabindex="0" id="dead" class="b">Add more</div><output id="n">0</output>
    <script>const add = () => { n.value = String(Number(n.value) + 1) }; for (const id of ["works", "dead"]) document.getElementById(id).addEventListener("click", add);
    document.addEventListener("keydown", (event) => { if (event.target.id === "works" && /^( |Enter)$/.test(event.key)) add() })</script>`;
  const site = await openSite({ "/": pageWith(markup) });
  const only = ["rampe-scripted-control", "rampe-activation-keys"];
  try {
    const outcomes = async () => {
      const { findings } = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: { only } });
      const targets = (category: "violations" | "incomplete") => findings[category].flatMap(({ ruleId, elements }) => elements.map(({ target }) => `${ruleId} ${target.join()}`));
      const passed = findings.passes.map(({ ruleId, elementCount }) => `${ruleId} ${elementCount}`).sort();
      return { violations: targets("violations"), incomplete: targets("incomplete"), passed };
    };
    // On a busy machine, an effect may come too late to be seen.
    await expect.poll(outcomes).toEqual({
      violations: ["rampe-activation-keys #dead"],
      incomplete: [],
      passed: ["rampe-activation-keys 1", "rampe-scripted-control 1"],
    });
    const without = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: { only: ["rampe-scripted-control"] } });
    expect(without.findings.incomplete).toMatchObject([{ ruleId: "rampe-scripted-control", elementCount: 2 }]);
  } finally {
    await site.close();
  }
});

test("a question stays where nobody can see what the keys did", async () => {
  const markup = `<div role="button" tabindex="0" id="b">Note</div><i hidden></i><script>const note = () => { document.querySelector("i").textContent += "!" };
    b.addEventListener("click", note); document.addEventListener("keydown", note)</script>`;
  const site = await openSite({ "/": pageWith(markup) });
  try {
    const { findings } = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: { only: ["rampe-scripted-control", "rampe-activation-keys"] } });
    expect(findings.incomplete).toMatchObject([{ ruleId: "rampe-scripted-control", elementCount: 1 }]);
    expect(findings.violations).toEqual([]);
  } finally {
    await site.close();
  }
});

/** Each has a picture without a text, which must be found whatever the keys do. */
const HOSTILE: Record<string, string> = {
  "a handler of arrow keys that never ends": `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3" style="width: 24px; height: 24px">3</div><script>addEventListener("keydown", (event) => { if (event.key.startsWith("Arrow")) for (;;); })</script>`,
  "a widget that removes itself on each key, and comes back": `<div id="w"></div><script>let n = 0; const put = () => { w.innerHTML = '<ul role="listbox" aria-label="Town" tabindex="0"><li role="option">A' + n++ + '</li><li role="option">B</li></ul>'; w.firstChild.onkeydown = put }; put()</script>`,
  "a button that removes the whole page": `<span role="button" tabindex="0" onkeydown="document.documentElement.replaceChildren()">Close</span>`,
  "a choice that hangs": `<label>Town <select id="t"><option>Bonn</option><option>Kiel</option></select></label><script>t.addEventListener("change", () => { for (;;); })</script>`,
  "choices that come back, and ask for windows, dialogs and other pages": `<div id="w"></div><script>let n = 0; const put = () => { w.innerHTML = '<select aria-label="Town"><option>A' + n++ + '</option><option>B</option></select>'; w.firstChild.addEventListener("change", () => { put(); open("/out/w"); alert(1); location = "/out/l" }) }; put()</script>`,
  "5,000 checkboxes that scripts listen to": `<form id="f"></form><script>f.innerHTML = Array.from({ length: 5000 }, (_, n) => '<input type="checkbox" name="c' + n + '" aria-label="' + n + '"> ').join(""); for (const each of f.elements) each.addEventListener("change", () => f.append("!"))</script>`,
  "a focus that hangs": `<button type="button" onfocus="for (;;);">Fares</button>`,
  "hints in hints at the focus": `<div id="m"></div><script>let n = 0; const more = (where) => { const b = document.createElement("button"); b.type = "button"; b.className = "c" + n; b.textContent = "Hint " + n++; b.onfocus = () => { more(b); open("/out/w"); location = "/out/l" }; where.append(b) }; more(m)</script>`,
  "5,000 widgets": `<script>document.querySelector("main").insertAdjacentHTML("beforeend", Array.from({ length: 5000 }, (_, n) => '<span role="button" class="c' + n + '" tabindex="0">' + n + "</span> ").join(""))</script>`,
  "a click that hangs": `<span role="button" tabindex="0" onclick="for (;;);">Open</span>`,
  "keys that ask for windows, dialogs and other pages": `<span role="button" tabindex="0" onkeydown="open('/out/w'); alert(1); confirm(2); print(); location = '/out/l'">Open</span>`,
  "an element more for each key": `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="3">3</div><script>addEventListener("keydown", () => { for (let n = 0; n < 2000; n++) document.querySelector("main").append(document.createElement("hr")) })</script>`,
  "a handler of letters that never ends": `<script>addEventListener("keydown", (event) => { if (event.key === "h") for (;;); })</script>`,
  "something new for each letter": `<p id="p"></p><script>addEventListener("keyup", () => { p.append(Math.random() + " "); document.body.focus() })</script>`,
  "a skip link that hangs": `<a href="#end" onclick="for (;;);">Skip to content</a><a href="#a">A</a><p id="end">End</p>`,
  "a skip link that removes its target": `<a href="#end" onclick="document.getElementById('end').remove()">Skip to content</a><a href="#a">A</a><p id="end">End</p>`,
  "focus that flees": `<span role="button" id="a" tabindex="0">A</span><span role="button" id="b" tabindex="0" class="b">B</span><script>a.onfocus = () => b.focus(); b.onfocus = () => a.focus()</script>`,
};

/** Rules that cannot see all there, which must be named. */
const UNFINISHED: Record<string, string[]> = {
  "a handler of letters that never ends": ["rampe-single-key"],
  "5,000 widgets": ["rampe-widget-keys"],
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

  it.concurrent.each(names)("%s", async (name) => {
    const url = site.url(`/${names.indexOf(name)}`);
    const page = expectChecked(await patient.check({ url, standard: WCAG22AA, advanced: true, rules: { only: ["image-alt", ...KEY_RULES] } }));
    expect(page.partial).toEqual(expect.arrayContaining(UNFINISHED[name] ?? []));
    expect(page.findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(page.durationMs).toBeLessThan(60_000);
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
  });
});
