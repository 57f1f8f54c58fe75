import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { CATEGORIES, type CheckedPage } from "~/scan/types";
import { expectChecked, testScanner, WCAG22AA } from "../../../support/scan/scanner";
import { openSite, pageWith } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const RULES = ["rampe-widget-keys", "rampe-activation-keys", "rampe-error-in-text", "rampe-expanded-state"];
const STYLE = `<style>
  .burger { display: none; border: 0; padding: 1rem; color: #000; background: #fff }
  @media (max-width: 600px) { .burger { display: block } .bar { display: none } }
</style><nav class="bar" aria-label="Main"><a href="/start">Start</a></nav>`;
const OPENS = "pages.hidden = !pages.hidden; this.ariaExpanded = String(!pages.hidden)";
const phone = (content: string, opens = `onclick="${OPENS}"`) => `${STYLE}<button type="button" id="burger" class="burger" aria-expanded="false" ${opens}>Menü</button><div id="pages" hidden><p>Pages</p>${content}</div><p>Welcome</p>`;

async function check(markup: string, sent: string[] = []): Promise<CheckedPage> {
  const site = await openSite({ "/": pageWith(markup) });
  try {
    return expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: RULES } }));
  } finally {
    sent.push(...site.requests.filter((path) => path.startsWith("/out")));
    await site.close();
  }
}

/** Outcomes of a rule: category, then element, view and way of each element. */
async function outcomesOf(markup: string, id: string) {
  const { findings, partial } = await check(markup);
  const found = CATEGORIES.flatMap((category) => findings[category].filter(({ ruleId }) => ruleId === id).map(({ elements, conditions }) => (elements.length === 0 ? [category, conditions] : [category, ...elements.map(({ target, conditions: views, context }) => [target.join(), views, context?.opened])])));
  return { found, partial };
}

const ITEMS = `<li role="menuitem" tabindex="0" class="item">Shoes</li><li role="menuitem" tabindex="-1" class="item">Hats</li>`;
const menu = (script: string) => `<ul role="menu" id="menu" aria-label="Shop">${ITEMS}</ul><output id="done"></output><script>
  menu.onclick = (event) => { done.value += event.target.textContent }; menu.onkeydown = (event) => { ${script} }</script>`;
const ARROWS = `const items = [...menu.children]; if (event.key === "ArrowDown") items[(items.indexOf(event.target) + 1) % 2].focus(); if (event.key === "Enter") event.target.click()`;
const toggle = (script: string) => `<div role="button" tabindex="0" id="toggle" class="toggle">Sign in</div><output id="done"></output><script>toggle.onclick = () => { done.value += "On " }; toggle.onkeydown = (event) => { ${script} }</script>`;
const form = (handled: string) => `<form novalidate action="/out/mail" method="post"><label>Place * <input id="place" required></label> <button>Send</button></form><script>document.forms[0].onsubmit = (event) => { ${handled} }</script>`;
const RED = `event.preventDefault(); place.style.borderColor = "#c00"`;

describe("the widgets in a menu that exists only on a phone", () => {
  const outcomes: [what: string, markup: string, id: string, outcome: object][] = [
    ["fail without arrow keys", phone(menu("")), "rampe-widget-keys", { found: [["violations", ["#menu", ["phone"], "Menü"]]], partial: [] }],
    ["pass with arrow keys", phone(menu(ARROWS)), "rampe-widget-keys", { found: [["passes", ["phone"]]], partial: [] }],
    ["fail if only the pointer activates them", phone(toggle("")), "rampe-activation-keys", { found: [["violations", ["#toggle", ["phone"], "Menü"]]], partial: [] }],
    ["pass if keys activate them", phone(toggle(`if (event.key === "Enter" || event.key === " ") toggle.click()`)), "rampe-activation-keys", { found: [["passes", ["phone"]]], partial: [] }],
    ["are not tried behind a button that opens for the pointer alone, which is told", phone(menu(""), `onmousedown="${OPENS}"`), "rampe-widget-keys", { found: [["inapplicable", undefined]], partial: ["rampe-activation-keys", "rampe-widget-keys"] }],
    ["are not tried behind a second button, which is told", phone(`<button type="button" class="inner" aria-expanded="false" onclick="shop.hidden = !shop.hidden; this.ariaExpanded = String(!shop.hidden)">Shop</button><div id="shop" hidden>${menu("")}</div>`), "rampe-widget-keys", { found: [["inapplicable", undefined]], partial: ["rampe-activation-keys", "rampe-widget-keys"] }],
    [
      "are tried on the desktop alone if that shows them, too",
      `<style>#burger { display: none } @media (max-width: 600px) { #burger { display: block } #pages:not(.open) { display: none } }</style><button type="button" id="burger" aria-expanded="false" onclick="this.ariaExpanded = String(pages.classList.toggle('open'))">Menü</button><div id="pages"><p>Pages</p>${menu("")}</div>`,
      "rampe-widget-keys",
      { found: [["violations", ["#menu", undefined, undefined]]], partial: [] },
    ],
    [
      "are judged beside those of the desktop",
      `<div role="slider" tabindex="0" id="slider" aria-label="Size" aria-valuenow="3" onkeydown="if (event.key.startsWith('Arrow')) { this.ariaValueNow = String(Number(this.ariaValueNow) + 1); this.textContent = this.ariaValueNow }">3</div>${phone(menu(""))}`,
      "rampe-widget-keys",
      { found: [["violations", ["#menu", ["phone"], "Menü"]], ["passes", undefined]], partial: [] },
    ],
  ];
  // On a busy machine, an effect may come too late to be seen.
  it.each(outcomes)("%s", (_what, markup, id, outcome) => expect.poll(() => outcomesOf(markup, id)).toEqual(outcome));
});

describe("a form in a menu that exists only on a phone", () => {
  it("is submitted empty, without being sent", async () => {
    await expect.poll(() => outcomesOf(phone(form(RED)), "rampe-error-in-text")).toEqual({ found: [["violations", ["#place", ["phone"], "Menü"]]], partial: [] });
    const sent: string[] = [];
    expect((await check(phone(form("")), sent)).partial).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("passes with a message that says what is missing", () => {
    const told = `if (!document.getElementById("told")) place.parentElement.insertAdjacentHTML("beforeend", '<p id="told" role="alert">Error: please enter a place.</p>')`;
    return expect.poll(() => outcomesOf(phone(form(`${RED}; place.setAttribute("aria-invalid", "true"); ${told}`)), "rampe-error-in-text")).toEqual({ found: [["passes", ["phone"]]], partial: [] });
  });

  it("is not called checked where the button opens for the pointer alone", async () => {
    expect((await check(phone(form(RED), `onmousedown="${OPENS}"`))).partial).toContain("rampe-error-in-text");
  });
});
