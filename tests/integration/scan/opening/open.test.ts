import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { opened } from "../../../support/scan/hostile/used";
import { describeHostileOperation } from "../../../support/scan/hostile-operation";
import { expectByScan } from "../../../support/scan/judge-page";
import { readRuleCases } from "../../../support/scan/rule-cases";
import { expectChecked, testScanner, WCAG22AA } from "../../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

describe("rules about opening", () => {
  const cases = readRuleCases().filter(({ ruleId }) => CONDITION_OF.get(ruleId) === "opened");
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }, { expect }) => {
    await expectByScan(scanner, site.url(`/${index}`), ruleId, expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

describe("what has appeared", () => {
  const check = async (markup: string) => {
    const site = await openSite({ "/": pageWith(markup) });
    const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, pictures: true }));
    await site.close();
    return page;
  };

  /** Summary of a page; on a busy machine, the time may end before all controls were used. */
  const summaryOf = async (markup: string) => {
    const { findings, partial, gaps } = await check(markup);
    const opened = findings.violations.find(({ ruleId }) => ruleId === "image-alt")?.elements.flatMap(({ context }) => context?.opened ?? []);
    return { opened, partial, unopened: gaps.unopened, about: findings.violations.map(({ ruleId }) => ruleId).filter((id) => OPENING_RULES.includes(id)) };
  };
  const picture = (name: string) => `<img class="${name}" src="/${name}.png">`;

  it("is checked like the page itself, with the way there", async () => {
    const { findings, partial, gaps } = await check(
      `<button type="button" aria-expanded="false" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)">Menü</button>
       <div id="menu" hidden><img src="/logo.png"><p>Shop</p></div><p>Welcome</p>`,
    );
    expect(partial).toEqual([]);
    expect(gaps.unopened).toBe(0);
    const found = findings.violations.find(({ ruleId }) => ruleId === "image-alt")?.elements.filter(({ conditions }) => conditions) ?? [];
    expect(found).toHaveLength(1);
    expect(found[0]?.html).toContain("/logo.png");
    expect(found[0]).toMatchObject({ conditions: ["opened"], context: { opened: "Menü" } });
  });

  it("is measured on pictures where styles do not tell, after scrolling too", async () => {
    const texts = async () => {
      const { findings, partial } = await check(
        `<style>.on { padding: 1rem; color: #fff; background: linear-gradient(#ddd, #eee) } #good { color: #000 }</style><div style="height: 2000px"></div>
         <button type="button" aria-expanded="false" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)">Menu</button>
         <div id="menu" hidden><p id="low" class="on">Opening hours</p><p id="good" class="on">Prices of tickets</p></div>`,
      );
      const measured = findings.violations.find(({ ruleId }) => ruleId === "rampe-drawn-contrast")?.elements ?? [];
      return {
        failed: measured.map(({ target, conditions, context }) => [target.join(" "), conditions, context?.opened]),
        passed: findings.passes.find(({ ruleId }) => ruleId === "rampe-drawn-contrast")?.conditions,
        asked: findings.incomplete.filter(({ ruleId }) => ruleId === "color-contrast"),
        partial,
      };
    };
    // On a busy machine the time for pictures may be over before the first one.
    await expect.poll(texts).toEqual({ failed: [["#low", ["opened"], "Menu"]], passed: ["opened"], asked: [], partial: [] });
  });

  it("keeps its questions, and says that it was not measured, where pictures are not taken in time", async () => {
    const { findings, partial } = await check(
      `<style>#low { color: #fff; background: linear-gradient(#ddd, #eee) }</style>
       <button type="button" aria-expanded="false" onclick="menu.hidden = false">Menu</button><div id="menu" hidden><p id="low">Opening hours</p></div>
       <script>new MutationObserver((changes) => { const from = Date.now(); while (Date.now() - from < 1500); }).observe(menu, { attributes: true, subtree: true, attributeFilter: ["style"] })</script>`,
    );
    expect(findings.incomplete.find(({ ruleId }) => ruleId === "color-contrast")?.elements.map(({ conditions }) => conditions)).toEqual([["opened"]]);
    expect(partial).toContain("rampe-drawn-contrast");
  });

  it("is counted where a dialog is in front of it", async () => {
    const { gaps } = await check(
      `<button type="button" aria-expanded="false" onclick="menu.hidden = false">Menu</button><p id="menu" hidden>Shop</p>
       <dialog id="box" aria-label="Cookies"><p>We use cookies.</p><button type="button">More</button></dialog><script>box.showModal(); box.addEventListener("cancel", (event) => event.preventDefault())</script>`,
    );
    expect(gaps.unopened).toBe(1);
  });

  it.each([
    ["is gone", `document.querySelector("main").innerHTML = "<p>Trains</p>"`],
    ["is hidden", `document.querySelector("main").hidden = true`],
  ])("is counted where the first control exchanges the view, and the next one %s", async (_what, code) => {
    const markup = `<button type="button" class="a" aria-expanded="false" onclick='${code}'>Trains</button><p>Or</p><button type="button" class="b" aria-expanded="false">Shop</button>`;
    const unfinished: unknown = expect.arrayContaining(["rampe-opens-by-keyboard", "rampe-expanded-state"]);
    await expect.poll(() => summaryOf(markup)).toMatchObject({ unopened: 1, partial: unfinished });
  });

  it("is counted where the time ends inside of what was opened, after a control was hidden: the rules are unfinished", async () => {
    const block = `const from = Date.now(); while (Date.now() - from < 12000);`;
    const markup = `<button type="button" class="a" aria-expanded="false" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden); second.hidden = true">Trains</button>
      <div id="menu" hidden><p>Lines</p><button type="button" class="in" aria-expanded="false" onclick="${block}">Delays</button></div><p>Or</p><button type="button" id="second" class="b" aria-expanded="false">Shop</button>`;
    const unfinished: unknown = expect.arrayContaining(["rampe-opens-by-keyboard", "rampe-expanded-state"]);
    await expect.poll(() => summaryOf(markup)).toMatchObject({ unopened: 2, partial: unfinished });
  });

  it("is checked inside of a tab that stays selected", async () => {
    const tab = (name: string, isFirst: boolean) => `<button type="button" role="tab" id="${name}" class="${name}" aria-controls="p" aria-selected="${String(isFirst)}">${name}</button>`;
    const script = `Kiel.onclick = () => { Bonn.ariaSelected = "false"; Kiel.ariaSelected = "true"; p.hidden = true; q.hidden = false }`;
    const panels = `<div role="tabpanel" aria-labelledby="Bonn" id="p"><p>Part Bonn</p></div><div role="tabpanel" aria-labelledby="Kiel" id="q" hidden><p>Part Kiel</p><details><summary>More</summary><p>Harbour</p>${picture("harbour")}</details></div>`;
    const tabs = `<div role="tablist" aria-label="Town">${tab("Bonn", true)}${tab("Kiel", false)}</div>${panels}<script>${script}</script>`;
    await expect.poll(() => summaryOf(tabs)).toMatchObject({ opened: ["Kiel → More"], unopened: 0 });
  });

  it("is checked before an answer takes it away", async () => {
    const banner = `<div id="banner"><p>We use cookies.</p><button type="button" onclick="banner.remove()">Accept</button> <button type="button" onclick="more.hidden = !more.hidden">Settings</button><div id="more" hidden>${picture("settings")}<p>Statistics</p></div></div>`;
    await expect.poll(() => summaryOf(`<p>Welcome</p>${banner}`)).toMatchObject({ opened: ["Settings"], partial: [], unopened: 0 });
  });

  it("is not counted where it is open already", async () => {
    const tab = (name: string, isFirst: boolean) => `<button type="button" role="tab" id="${name}" class="${name}" aria-controls="p" aria-selected="${String(isFirst)}">${name}</button>`;
    const script = `for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => { for (const each of document.querySelectorAll("[role=tab]")) each.ariaSelected = "true"; p.innerHTML = "<p>Part " + tab.id + "</p>" }`;
    const markup = `<div role="tablist" aria-label="Town">${tab("Bonn", true)}${tab("Kiel", false)}${tab("Ulm", false)}</div><div role="tabpanel" aria-labelledby="Bonn" id="p"><p>Part Bonn</p></div><script>${script}</script>`;
    await expect.poll(() => summaryOf(markup)).toMatchObject({ unopened: 0 });
  });

  it("one after the other, each closed again", async () => {
    const { findings } = await check(
      ["One", "Two", "Three"]
        .map((name, index) => `<section class="s${index}"><button type="button" class="b${index}" aria-expanded="false" onclick="const p = this.nextElementSibling; p.hidden = !p.hidden; this.ariaExpanded = String(!p.hidden)">${name}</button><div hidden><img class="i${index}" src="/logo.png">Text</div></section>`)
        .join(""),
    );
    const elements = findings.violations.find(({ ruleId }) => ruleId === "image-alt")?.elements ?? [];
    expect(elements.filter(({ conditions }) => conditions?.includes("opened")).map(({ context }) => context?.opened)).toEqual(["One", "Two", "Three"]);
  });

  it("also inside of what was opened, which is opened again", async () => {
    const menu = (name: string, content: string) =>
      `<div class="${name}"><button type="button" aria-expanded="false" onclick="const p = this.nextElementSibling; p.hidden = !p.hidden; this.ariaExpanded = String(!p.hidden)">${name}</button><div hidden>${content}</div></div>`;
    const travel = menu("Travel", picture("travel") + menu("Trains", `<p>Trains</p>${picture("train")}`));
    const settings = `<button type="button" aria-haspopup="dialog" onclick="box.showModal()">Settings</button>
      <dialog id="box" aria-label="Settings"><details><summary>Sound</summary><p>Volume</p>${picture("sound")}</details><button type="button" onclick="box.close()">Close</button></dialog>`;
    await expect.poll(() => summaryOf(travel)).toEqual({ opened: ["Travel", "Travel → Trains"], partial: [], unopened: 0, about: [] });
    await expect.poll(() => summaryOf(settings)).toEqual({ opened: ["Settings → Sound"], partial: [], unopened: 0, about: [] });
  });

  it("two in each opened part; the others, and what is deeper, are counted or left alone", async () => {
    const details = (name: string, content: string) => `<details class="${name}"><summary>${name}</summary><p>Answer</p>${content}</details>`;
    const markup = details("a", ["b", "c", "d", "e"].map((name) => details(name, picture(name) + details(`${name}${name}`, picture(`in-${name}`)))).join(""));
    await expect.poll(() => summaryOf(markup)).toEqual({ opened: ["a → b", "a → c"], partial: [], unopened: 2, about: [] });
  });

  it("controls beyond the limit are counted", async () => {
    const details = Array.from({ length: 12 }, (_, index) => `<details class="d${index}"><summary class="s${index}">Question ${index}</summary><p>Answer</p></details>`).join("");
    expect((await check(details)).gaps.unopened).toBeGreaterThanOrEqual(4);
  });

  it("the basic analysis opens nothing", async () => {
    const site = await openSite({ "/": pageWith(`<details><summary>Question</summary><img src="/x.png"></details>`) });
    const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA }));
    await site.close();
    expect(page.gaps.unopened).toBeUndefined();
  });
});

const OPENING_RULES = [...CONDITION_OF.keys()].filter((id) => CONDITION_OF.get(id) === "opened");
describeHostileOperation("controls of hostile pages", opened, OPENING_RULES);
