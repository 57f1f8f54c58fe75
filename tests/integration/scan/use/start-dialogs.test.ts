import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage } from "~/scan/types";
import { atArrival } from "../../../support/scan/hostile/used";
import { describeHostileOperation } from "../../../support/scan/hostile-operation";
import { checkWhole } from "../../../support/scan/judge-page";
import { expectChecked, testScanner, WCAG22AA } from "../../../support/scan/scanner";
import { openSite, pageWith } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const OF_DIALOGS = ["rampe-dialog-focus", "rampe-dialog-close"];
const OF_WALK = ["rampe-focus-visible", "rampe-focus-removed", "rampe-focus-covered"];
const BACKDROP = "position: fixed; inset: 0; background: rgb(0, 0, 0, 0.6)";
const BOX = "position: fixed; inset: 30%; background: #fff";

/** Page with links, a button without a visible focus and a closed part, all behind a dialog. */
const behind = (dialog: string) => `<p><img id="seen" src="data:," width="40" height="40"> <a href="#a">Shop</a> <a href="#b">Trains</a> <a href="#c">Help</a></p>
  <style>#faint:focus { outline: none }</style><button type="button" id="faint">Search</button>
  <button type="button" aria-expanded="false" onclick="menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)">Menu</button><div id="menu" hidden><img id="logo" src="data:,"><p>Lines</p></div>${dialog}`;

/** Dialog of a script that holds the focus; Escape does nothing. */
const dialogWith = (buttons: string, name = "Cookies") => `<div class="dialog" style="${BACKDROP}"><div role="dialog" aria-modal="true" aria-label="${name}" style="${BOX}"
  onkeydown="const all = [...this.querySelectorAll('button')]; if (event.key === 'Tab') { event.preventDefault(); all[(all.indexOf(document.activeElement) + (event.shiftKey ? all.length - 1 : 1)) % all.length].focus() }"><p>We use cookies.</p>${buttons}</div></div>
  <script>document.querySelector(".dialog:last-of-type button").focus()</script>`;
const closing = (name: string, more = "") => `<button type="button" onclick="window.closed_by = '${name}'; this.closest('.dialog').remove(); ${more}">${name}</button>`;

const check = async (markup: string, request: { only?: string[]; isWhole?: boolean } = {}): Promise<CheckedPage> => {
  const site = await openSite({ "/": pageWith(markup) });
  try {
    const asked = { url: site.url("/"), advanced: true, pictures: true, rules: request.only && { only: request.only } };
    return request.isWhole === false ? expectChecked(await scanner.check({ ...asked, standard: WCAG22AA })) : await checkWhole(scanner, asked);
  } finally {
    await site.close();
  }
};

const targets = ({ findings }: CheckedPage, ruleId: string, category: "violations" | "incomplete" = "violations") => findings[category].find((rule) => rule.ruleId === ruleId)?.elements.map(({ target }) => target.join(" ")) ?? [];
const idsIn = ({ findings }: CheckedPage, category: "violations" | "incomplete" | "passes") => findings[category].map(({ ruleId }) => ruleId).filter((id) => OF_DIALOGS.includes(id)).sort();
const namesOf = ({ walk }: CheckedPage) => walk?.stops.map(({ name }) => name);
const PAGE = ["Shop", "Trains", "Help", "Search", "Menu"];

describe("a page behind a dialog", () => {
  it.concurrent.for([
    { what: "the browser's own, closed by Escape", dialog: `<dialog id="d" aria-label="Cookies"><button type="button" onclick="d.close()">Accept</button></dialog><script>d.showModal()</script>` },
    { what: "a dialog of a script, closed by a button", dialog: dialogWith(closing("Alle akzeptieren") + closing("Ablehnen")) },
    { what: "a box without a role", dialog: `<div class="dialog" style="${BACKDROP}"><div style="${BOX}"><p>We use cookies.</p>${closing("Only necessary cookies")}</div></div>`, asked: ["rampe-dialog-focus"], name: "" },
    { what: "a dialog in a shadow root", dialog: `<x-consent></x-consent><script>const host = document.querySelector("x-consent"); host.attachShadow({ mode: "open" }).innerHTML = \`<dialog aria-label="Cookies"><button type="button">Reject</button></dialog>\`; host.shadowRoot.querySelector("dialog").showModal()</script>` },
    { what: "one dialog on another", dialog: dialogWith(closing("Reject"), "Newsletter") + dialogWith(closing("Reject")), names: ["Cookies", "Newsletter"] },
  ])("is used as people have it after closing: $what", async ({ dialog, asked = [], name = "Cookies", names = [name] }) => {
    const page = await check(behind(dialog));
    expect(page.partial).toEqual([]);
    expect(namesOf(page)).toEqual(PAGE);
    expect(page.walk?.isWhole).toBe(true);
    expect(page.walk?.stops[0]?.closed).toEqual(names);
    expect(targets(page, "rampe-focus-visible")).toEqual(["#faint"]);
    expect(targets(page, "image-alt")).toEqual(expect.arrayContaining(["#seen", "#logo"]));
    expect([idsIn(page, "violations"), idsIn(page, "incomplete")]).toEqual([[], asked]);
    expect(targets(page, "rampe-focus-covered", "incomplete")).toEqual([]);
    expect(page.gaps.unopened).toBe(0);
  });

  it("prefers to close and to refuse over accepting", async () => {
    const told = `<p id="told" hidden></p><script>addEventListener("focusin", () => { if (window.closed_by && told.hidden) { told.hidden = false; told.innerHTML = '<img id="' + closed_by.toLowerCase() + '" src="data:,">' } })</script>`;
    const ofButtons = async (...names: string[]) => targets(await check(`${told}<a href="#a">Shop</a>${dialogWith(names.map((name) => closing(name, `told.hidden = false; told.innerHTML = &quot;<img id='by-${names.indexOf(name)}' src='data:,'>Text&quot;`)).join(""))}`, { only: ["image-alt"] }), "image-alt");
    expect(await ofButtons("Accept all", "OK", "Reject all", "Close")).toContain("#by-3");
    expect(await ofButtons("Alles akzeptieren", "Nur notwendige Cookies")).toContain("#by-1");
    expect(await ofButtons("More", "Zustimmen")).toContain("#by-1");
  });

  it("keeps what was found in the dialog: a focus that cannot be seen, once", async () => {
    const page = await check(behind(`<style>#y { outline: none }</style>${dialogWith(closing("Reject").replace("<button", `<button id="y"`))}`), { only: OF_WALK });
    expect(targets(page, "rampe-focus-visible").sort()).toEqual(["#faint", "#y"]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-focus-removed")?.elementCount).toBe(PAGE.length + 1);
  });

  it("shows more after closing: that is checked like opened content, with the way there", async () => {
    const page = await check(`<a href="#a">Shop</a><div id="more" hidden><img id="late" src="data:,"><p>Trains</p></div>${dialogWith(closing("Reject", "more.hidden = false"))}`);
    const [bare, late] = page.findings.violations.find(({ ruleId }) => ruleId === "image-alt")?.elements ?? [];
    expect(bare).toMatchObject({ target: ["#bare"] });
    expect(bare?.conditions ?? ["desktop"]).toEqual(["desktop"]);
    expect(late).toMatchObject({ target: ["#late"], conditions: ["opened"], context: { closed: "Cookies" } });
  });

  it("is checked once the browser's own dialog no longer hides it from assistive technology", async () => {
    const page = await check(behind(`<dialog id="d" aria-label="Cookies"><p>We use cookies.</p></dialog><script>d.showModal()</script>`));
    const found = page.findings.violations.find(({ ruleId }) => ruleId === "image-alt")?.elements.find(({ target }) => target.join() === "#seen");
    expect(found).toMatchObject({ conditions: ["opened"], context: { closed: "Cookies" } });
  });

  it("is said to be untested where the dialog stays", async () => {
    const page = await check(behind(dialogWith(`<button type="button">To the shop</button><button type="button">More</button>`)), { isWhole: false });
    expect(idsIn(page, "incomplete")).toEqual(["rampe-dialog-close"]);
    expect(page.partial).toEqual(expect.arrayContaining(OF_WALK));
    expect(page.walk).toMatchObject({ isWhole: false });
    expect(page.walk?.stops.every(({ closed }) => closed === undefined)).toBe(true);
  });

  it.concurrent.for([
    { what: "a button waits for the server", button: `<button type="button" onclick="fetch('/consent').then(() => this.closest('.dialog').remove())">Accept</button>` },
    { what: "a button loads the page again", button: `<button type="button" onclick="location.href = '/consent'">Accept</button>` },
    { what: "its content is in a frame", button: `<iframe title="Consent" srcdoc="<button>Accept</button>"></iframe><button type="button">More</button>` },
  ])("is said to be untested, without a question, where $what", async ({ button }) => {
    const page = await check(behind(dialogWith(button)), { only: [...OF_DIALOGS, ...OF_WALK], isWhole: false });
    expect(idsIn(page, "incomplete")).toEqual([]);
    expect(page.partial).toEqual(expect.arrayContaining(["rampe-dialog-close", ...OF_WALK]));
  });
});

describe("a page beside a banner", () => {
  it("is walked through together with it; three buttons are no finding", async () => {
    const banner = `<div role="dialog" aria-label="Cookies" id="w" style="position: fixed; inset: auto 0 0; background: #fff"><p>We use cookies.</p><button type="button" onclick="w.remove()">Accept</button><button type="button" onclick="w.remove()">Reject</button><button type="button">Settings</button></div>`;
    const page = await check(behind(banner), { only: [...OF_DIALOGS, ...OF_WALK, "rampe-keyboard-trap"], isWhole: false });
    expect(namesOf(page)).toEqual([...PAGE, "Accept", "Reject", "Settings"]);
    expect(page.walk).toMatchObject({ isWhole: true });
    expect(page.walk?.stops[0]?.closed).toBeUndefined();
    expect([idsIn(page, "violations"), idsIn(page, "incomplete")]).toEqual([[], []]);
  });
});

describeHostileOperation("dialogs of hostile pages", atArrival, [...OF_DIALOGS, ...OF_WALK, "rampe-focus-context", "rampe-keyboard-trap"]);
