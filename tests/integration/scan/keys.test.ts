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

describe("the keys of a menu behind a button", () => {
  const only = ["rampe-widget-keys", "rampe-expanded-state"];
  const items = `<li role="menuitem" tabindex="-1" class="item">Copy</li><li role="menuitem" tabindex="-1" class="item">Rename</li>`;
  const button = `<button type="button" id="open" aria-haspopup="menu" aria-expanded="false">Actions</button><output id="done"></output>`;
  const menu = `${button}<ul role="menu" id="menu" aria-label="Actions" hidden>${items}</ul>`;
  const script = (more: string) =>
    `<script>const show = (isShown) => { menu.hidden = !isShown; open_.ariaExpanded = String(isShown); if (isShown) menu.firstElementChild.focus(); else open_.focus() };
     const open_ = document.getElementById("open"); open_.onclick = () => show(menu.hidden); menu.onclick = (event) => { done.value += event.target.textContent; show(false) };
     menu.onkeydown = (event) => { if (event.key === "Escape") show(false); ${more} }</script>`;
  const arrows = `const items = [...menu.children]; if (event.key === "ArrowDown") items[(items.indexOf(event.target) + 1) % 2].focus()`;
  const outcomeOf = async (markup: string) => {
    const site = await openSite({ "/": pageWith(markup) });
    try {
      const { findings, partial } = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only } }));
      const found = (["violations", "incomplete", "passes", "inapplicable"] as const).flatMap((category) => findings[category].flatMap(({ ruleId, elements }) => (ruleId === "rampe-widget-keys" ? [[category, ...elements.map(({ target, context }) => `${target.join()} ${context?.opened}`)]] : [])));
      return { found, partial };
    } finally {
      await site.close();
    }
  };
  const outcomes: [string, string, object][] = [
    ["are missing", menu + script(""), { found: [["violations", "#menu Actions"]], partial: [] }],
    ["lead through it", menu + script(arrows), { found: [["passes"]], partial: [] }],
    ["lead into it from the button", menu + script(arrows).replace("if (isShown) menu.firstElementChild.focus(); else open_.focus()", "").replace("open_.onclick", `open_.onkeydown = (event) => { if (event.key === "ArrowDown") menu.firstElementChild.focus() }; open_.onclick`), { found: [["passes"]], partial: [] }],
    [
      "lead through it, and only a click closes it over the content: that is asked, and the keys are not tried",
      `<style>#menu { position: absolute }</style>${menu}<p><a href="/">Start</a></p>${script(arrows).replace('if (event.key === "Escape") show(false);', "").replace("show(menu.hidden)", "show(event.detail === 0 || menu.hidden)").replace("open_.onclick = ()", "open_.onclick = (event)")}`,
      { found: [["incomplete", "#menu undefined"]], partial: ["rampe-widget-keys"] },
    ],
    [
      "lead through it, and its button closes it, but not Escape",
      `<style>#menu { position: absolute }</style>${menu}<p><a href="/">Start</a></p>${script(arrows).replace('if (event.key === "Escape") show(false);', "")}`,
      { found: [["passes"]], partial: [] },
    ],
    [
      "are missing, but the menu was removed again: the rule is unfinished",
      `${button}<script>const open_ = document.getElementById("open"); let menu; open_.onclick = () => { open_.ariaExpanded = String(!menu); if (menu) { menu.remove(); menu = undefined; return }
        open_.insertAdjacentHTML("afterend", '<ul role="menu" class="menu" aria-label="Actions">${items}</ul>'); menu = open_.nextElementSibling; menu.firstElementChild.focus(); menu.onclick = (event) => { done.value += event.target.textContent; open_.click() } }</script>`,
      { found: [["inapplicable"]], partial: ["rampe-widget-keys"] },
    ],
    [
      "lead through it, although it is created anew each time: another one that was there before is not taken for it",
      `${["One", "Two", "Three"].map((name) => `<ul role="menu" class="menu" id="${name}" aria-label="${name}">${items}</ul>`).join("")}<div class="own">${button}</div>
       <script>const open_ = document.getElementById("open"); const select = (event) => { done.value += event.target.textContent };
        const move = (event) => { const items = [...event.currentTarget.children]; if (event.key === "Enter") select(event); if (event.key === "ArrowDown") items[(items.indexOf(event.target) + 1) % 2].focus() };
        for (const each of [One, Two]) { each.onkeydown = move; each.firstElementChild.tabIndex = 0 } Three.firstElementChild.tabIndex = 0; Three.onclick = select;
        let menu; open_.onclick = () => { open_.ariaExpanded = String(!menu); if (menu) { menu.remove(); menu = undefined; return }
        open_.insertAdjacentHTML("afterend", '<ul role="menu" class="menu" aria-label="Actions">${items}</ul>'); menu = open_.nextElementSibling; menu.firstElementChild.focus(); menu.onclick = select; menu.onkeydown = move }</script>`,
      { found: [["passes"]], partial: [] },
    ],
    [
      "are not tried in a dialog that only its own button closes",
      `<button type="button" id="open" aria-haspopup="dialog">Actions</button><output id="done"></output><dialog id="box" aria-label="Actions"><button type="button" onclick="box.close()">Close</button><ul role="menu" id="menu" aria-label="Actions">${items}</ul></dialog>
       <script>document.getElementById("open").onclick = () => { box.showModal(); menu.firstElementChild.focus() }; box.oncancel = (event) => event.preventDefault()</script>`,
      { found: [["inapplicable"]], partial: ["rampe-widget-keys"] },
    ],
    ["are not tried behind two buttons", `<button type="button" class="more" aria-expanded="false" onclick="more.hidden = !more.hidden; this.ariaExpanded = String(!more.hidden)">More</button><div id="more" hidden><p>More</p>${menu}</div>${script("")}`, { found: [["inapplicable"]], partial: ["rampe-widget-keys"] }],
  ];

  // On a busy machine, an effect may come too late to be seen.
  it.each(outcomes)("%s", (_what, markup, outcome) => expect.poll(() => outcomeOf(markup)).toEqual(outcome));
});

describeHostileOperation("keys on hostile pages", pressed, [...KEY_RULES]);
