import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { KEY_RULES } from "~/scan/rules/rampe/index";
import { pressed } from "../../support/scan/hostile/used";
import { describeHostileOperation } from "../../support/scan/hostile-operation";
import { checkWhole, expectByScan } from "../../support/scan/judge-page";
import { readRuleCases } from "../../support/scan/rule-cases";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

describe("rules about keys", () => {
  const cases = readRuleCases().filter(({ ruleId }) => KEY_RULES.has(ruleId));
  let site: Site;
  beforeAll(async () => {
    // An example without a main part or heading is a complete document.
    const pageOf = (markup: string) => (markup.trimStart().startsWith("<!doctype") ? markup.trimStart() : pageWith(markup));
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageOf(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }, { expect }) => {
    await expectByScan(scanner, site.url(`/${index}`), ruleId, expected);
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

test.each([
  ["gone", `document.querySelector("main").innerHTML = "<p>Added</p>"`],
  ["behind a dialog that stays open", `box.showModal()`],
])("a control that is %s after the keys on another one is not said to be checked", async (_where, code) => {
  const markup = `<div role="button" tabindex="0" id="first" class="a">Add</div><p>Or</p><div role="button" tabindex="0" class="b">Add more</div>
    <dialog id="box" aria-label="Added"><p>Added to your basket.</p></dialog><script>box.oncancel = (event) => event.preventDefault();
    document.getElementById("first").onkeydown = (event) => { if (event.key === "Enter") { ${code} } }</script>`;
  const site = await openSite({ "/": pageWith(markup) });
  try {
    const { findings, partial } = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: ["rampe-activation-keys"] } }));
    expect(findings.violations).toEqual([]);
    expect(partial).toEqual(["rampe-activation-keys"]);
  } finally {
    await site.close();
  }
});

describeHostileOperation("keys on hostile pages", pressed, [...KEY_RULES]);
