import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage } from "~/scan/types";
import { submitted } from "../../support/scan/hostile/used";
import { describeHostileOperation } from "../../support/scan/hostile-operation";
import { checkWhole } from "../../support/scan/judge-page";
import { expectChecked, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const FORM_RULES = ["rampe-error-in-text", "rampe-error-told", "rampe-required-unmarked", "rampe-typed-text-kept"];
const ONLY = { only: [...FORM_RULES, "image-alt"] };

/** Categories of the rules about forms, by rule. */
const judged = ({ findings }: CheckedPage) =>
  Object.fromEntries((["violations", "incomplete", "passes"] as const).flatMap((category) => findings[category].flatMap(({ ruleId }) => (FORM_RULES.includes(ruleId) ? [[ruleId, category]] : []))));

/** @param handled script in place of sending the form */
const formWith = (handled: string, attributes = "") =>
  pageWith(
    `<form id="form" novalidate action="/out/form" method="post" ${attributes}><p><label>Place * <input id="place" name="place" required></label></p><p><label>Street * <input required></label></p><button>Show</button></form>
     <iframe name="inner" title="Inner" srcdoc=""></iframe><script>const red = () => { place.style.borderColor = "#c00" }; document.getElementById("form").onsubmit = (event) => { ${handled} }</script>`,
  );

/** Forms that send data when submitted. Their scripts also mark a field, like forms that refuse their content. */
const SENDING: Record<string, string> = {
  "the form itself": formWith("red()"),
  "to a frame": formWith("red()", 'target="inner"'),
  "to a new window": formWith("red()", 'target="_blank"'),
  "by a script": formWith("event.preventDefault(); red(); fetch('/out/fetch', { method: 'POST' }).catch(() => {})"),
  "by a beacon": formWith("event.preventDefault(); red(); navigator.sendBeacon('/out/beacon', 'x')"),
  "a moment later": formWith("event.preventDefault(); red(); setTimeout(() => fetch('/out/late').catch(() => {}), 400)"),
  "by a script that sends the form": formWith("event.preventDefault(); red(); event.target.submit()"),
  "by another page": formWith("event.preventDefault(); red(); location = '/out/location'"),
};

describe("forms are submitted empty, with the connection cut", () => {
  const names = Object.keys(SENDING);
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(names.map((name, index) => [`/${index}`, SENDING[name] ?? ""])));
  });
  afterAll(() => site.close());

  it.concurrent.each(names.map((name, index) => ({ name, index })))("what would send something is not sent, and not judged: $name", async ({ index }) => {
    const page = await checkWhole(scanner, { url: site.url(`/${index}`), advanced: true, rules: ONLY });
    expect(judged(page)).toEqual({ "rampe-required-unmarked": "passes" });
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
  });
});

describe("fields that belong to no form with a button to submit it", () => {
  const FIELDS = `<p><label>Place * <input id="place" required></label></p><p><label>Street <input></label></p>`;
  const scan = async (body: string) => {
    const site = await openSite({ "/": pageWith(body) });
    try {
      return expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: ONLY }));
    } finally {
      await site.close();
    }
  };

  it.each([
    ["without a form", `${FIELDS}<button type="button" onclick="place.style.borderColor = '#c00'">Show</button>`],
    ["in a form with a button of a script", `<form>${FIELDS}<div role="button" tabindex="0">Show</div></form>`],
    ["in a web component", `<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = '${FIELDS}<button>Show</button>'</script>`],
    ["fields of a component that only its script knows", `<script>customElements.define("x-choice", class extends HTMLElement { static formAssociated = true; connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<div role="combobox" tabindex="0">Choose</div>' } })</script>
      <form onsubmit="event.preventDefault()"><x-choice required></x-choice><button>Show</button></form>`],
    ["fields in a closed shadow root", `<script>customElements.define("x-field", class extends HTMLElement { static formAssociated = true; connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = '<input>' } })</script>
      <form onsubmit="event.preventDefault()"><x-field style="display: block">Name</x-field><button>Show</button></form>`],
  ])("are not tried, and the rules about forms are not finished: %s", async (_where, body) => {
    const page = await scan(body);
    expect(page.partial).toEqual(expect.arrayContaining(["rampe-error-in-text", "rampe-error-told"]));
    expect(Object.values(page.findings).flat().map(({ ruleId }) => ruleId)).not.toContain("rampe-error-in-text");
  });

  it.each([
    ["searches and single fields", `<div role="search"><label>Place * <input required></label><label>Street <input></label></div><p><label>Sort by <select><option>A</option></select></label></p>`],
    ["thousands of radio buttons that nobody needs to choose", `<form>${Array.from({ length: 3_000 }, (_, index) => `<input type="radio" aria-label="${index}" name="group-${Math.floor(index / 3)}">`).join("")}</form>`],
    ["fields that nobody needs to fill in", `<p><label>Place <input></label></p><p><label>Street <input></label></p>`],
  ])("but %s need no trial", async (_what, body) => {
    expect((await scan(body)).partial).toEqual([]);
  });
});

describe("what scripts make of an empty form", () => {
  const check = async (body: string, advanced = true) => {
    const site = await openSite({ "/": body });
    try {
      return await checkWhole(scanner, { url: site.url("/"), advanced, rules: ONLY, pictures: true });
    } finally {
      await site.close();
    }
  };

  it("is found, and shown as it is then", async () => {
    const page = await check(formWith("event.preventDefault(); red()"));
    expect(page.findings.violations.find(({ ruleId }) => ruleId === "rampe-error-in-text")?.elements).toMatchObject([{ target: ["#place"], picture: expect.any(Uint8Array) as Uint8Array }]);
    expect(page.gaps.offline).toBe(0);
  });

  it("is no error if a dialog of the browser tells it", async () => {
    expect(judged(await check(formWith("event.preventDefault(); red(); alert('Please enter the place.')")))).toEqual({ "rampe-error-in-text": "passes", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" });
  });

  it("is no error in a form that does all that is asked for: a summary with the focus, messages that fields refer to", async () => {
    const body = `<form id="form" novalidate><div id="summary" tabindex="-1" role="alert" hidden><h2>There is a problem</h2><ul><li><a href="#place">Enter the place</a></li></ul></div>
      <div id="group"><label for="place">Place</label><p id="hint">For example, the town</p><p id="wrong" hidden><span>Error:</span> Enter the place</p><input id="place" aria-describedby="hint wrong" required></div>
      <fieldset><legend>Way</legend><label><input type="radio" name="way" value="a" required> By train</label><label><input type="radio" name="way" value="b"> By car</label></fieldset><button>Continue</button></form>
      <style>.error { border-left: 5px solid #c00 }</style>
      <script>form.onsubmit = (event) => { event.preventDefault(); summary.hidden = wrong.hidden = false; group.className = "error"; place.setAttribute("aria-invalid", "true"); document.title = "Error: " + document.title; summary.focus() }</script>`;
    expect(judged(await check(pageWith(body)))).toEqual({ "rampe-error-in-text": "passes", "rampe-error-told": "passes" });
  });

  /** Parts that a form may hold. */
  const PARTS = `<script>
    customElements.define("x-light", class extends HTMLElement {});
    customElements.define("x-slotted", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<slot></slot>" } });
    customElements.define("x-closed", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<p>Please enter the place.</p>" } });
  </script>`;
  const formWithPart = (part: string, handled = "") => `${PARTS}${formWith(`event.preventDefault(); red(); ${handled}`).replace("<button>", `${part}<button>`)}`;

  it.each([
    ["hidden frame", `<iframe hidden srcdoc=""></iframe>`],
    ["frame that stays as it is", `<iframe title="Captcha" srcdoc="I am human" width="300" height="70"></iframe>`],
    ["component without a shadow root", "<x-light>Hint</x-light>"],
    ["component whose closed shadow root shows its content", "<x-slotted><p>Hint</p></x-slotted>"],
    ["component without a box", "<x-closed hidden></x-closed>"],
  ])("is also found in a form with a %s", async (_part, markup) => {
    const page = await check(formWithPart(markup));
    expect(page.partial).toEqual([]);
    expect(judged(page)).toMatchObject({ "rampe-error-in-text": "violations" });
  });

  it.each([
    ["frame that grows", `<iframe id="part" title="Answer" srcdoc="Please enter the place." height="20"></iframe>`, "part.height = 90"],
    ["component whose closed shadow root does not show its content", "<x-closed>Hint</x-closed>", ""],
  ])("may be in a %s, so that the form is not called checked", async (_part, markup, handled) => {
    const site = await openSite({ "/": formWithPart(markup, handled) });
    const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: ONLY }));
    await site.close();
    expect(page.partial).toEqual(expect.arrayContaining(["rampe-error-in-text", "rampe-error-told"]));
    expect(judged(page)).not.toHaveProperty("rampe-error-in-text");
  });

  it("is judged before a text is typed: the script may complain in other elements then", async () => {
    const page = await check(formWith("event.preventDefault(); event.target.reset(); document.querySelector('em')?.remove(); place.insertAdjacentHTML('afterend', '<em>Please enter the place.</em>')"));
    expect(judged(page)).toEqual({ "rampe-error-told": "incomplete", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "incomplete" });
    expect(page.findings.incomplete.flatMap(({ ruleId, elements }) => (ruleId === "rampe-typed-text-kept" ? elements : []))).toMatchObject([{ target: ["p:nth-child(2) > label > input"] }]);
  });

  it.each([
    ["is gone", "other.remove()"],
    ["is out of use", "other.inert = true"],
    ["is behind a dialog that stays open", "box.showModal()"],
  ])("is not known for a form that %s after another one was submitted", async (_where, code) => {
    const other = `<form id="other" novalidate><label>Name * <input required></label><button>Send</button></form><dialog id="box" aria-label="Error"><p>Please enter the place.</p></dialog><script>box.oncancel = (event) => event.preventDefault()</script>`;
    const site = await openSite({ "/": formWith(`event.preventDefault(); red(); ${code}`).replace("</main>", `${other}</main>`) });
    const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: ONLY }));
    await site.close();
    expect(page.partial).toEqual(expect.arrayContaining(["rampe-error-in-text", "rampe-error-told"]));
  });

  it("is not asked of a form in a closed drawer beside the screen", async () => {
    const drawer = `<div inert style="position: fixed; left: 100%; top: 0; width: 300px"><form novalidate><label>Name * <input required></label><button>Send</button></form></div>`;
    const site = await openSite({ "/": pageWith(`${drawer}<form novalidate onsubmit="event.preventDefault()"><label>Place * <input required></label><button>Show</button></form>`) });
    const page = await checkWhole(scanner, { url: site.url("/"), advanced: true, rules: ONLY });
    await site.close();
    expect(page.partial).toEqual([]);
  });

  it("belongs to an advanced analysis alone", async () => {
    const page = await check(formWith("event.preventDefault(); red()"), false);
    expect(judged(page)).toEqual({});
    expect(page.gaps.offline).toBeUndefined();
  });
});

/** Parts of component libraries: label, field and error in one shadow root, the error from a slot, and a button that submits the form around it. */
const COMPONENTS = `<script>
  customElements.define("x-input", class extends HTMLElement {
    static formAssociated = true;
    connectedCallback() {
      const { label, error = "" } = this.dataset;
      const described = this.hasAttribute("told") ? 'aria-describedby="error"' : "";
      this.attachShadow({ mode: "open" }).innerHTML = \`<style>.wrong { border: 2px solid #c00 } [hidden] { display: none }</style>
        <div class="part"><div class="wrapper"><label for="field">\${label}</label><div class="base"><input id="field" \${described}><button type="button" aria-label="Empty it">×</button></div><div id="error" hidden><slot name="error"></slot></div></div></div>\`;
    }
    get field() { return this.shadowRoot.querySelector("input") }
    mark(text) {
      this.field.className = "wrong";
      if (text) { this.innerHTML = '<span slot="error">' + text + "</span>"; this.shadowRoot.getElementById("error").hidden = false }
    }
  });
  customElements.define("x-button", class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: "open" }).innerHTML = '<button type="submit"><slot></slot></button>';
      this.onclick = () => this.closest("form").requestSubmit();
    }
  });
</script>`;
/** Light-DOM form with fields in components. @param refuse script that refuses the empty field `place` */
const componentForm = (refuse: string, more = "") =>
  pageWith(`${COMPONENTS}<form id="form" novalidate action="/out/form" method="post"><x-input id="place" data-label="Place *" required ${more}></x-input><x-input id="note" data-label="Note"></x-input><x-button type="submit">Show</x-button></form>
    <script>document.getElementById("form").onsubmit = (event) => { ${refuse} }</script>`);
/** Whole form in one shadow root. @param refuse script, in which `$` finds an element of the root */
const innerForm = (refuse: string, markup = "") =>
  pageWith(`<div id="host"></div><script>const root = host.attachShadow({ mode: "open" }); const $ = (selector) => root.querySelector(selector);
    root.innerHTML = '<form novalidate action="/out/form" method="post"><p><label>Place * <input id="place" required ${markup}></label><span id="error"></span></p><p><label>Street <input id="street"></label></p><button>Show</button></form>';
    $("form").onsubmit = (event) => { ${refuse} }</script>`);

describe("a form in web components", () => {
  const check = async (body: string) => {
    const site = await openSite({ "/": body });
    try {
      const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: ONLY }));
      const elements = [...page.findings.violations, ...page.findings.incomplete].flatMap(({ ruleId, elements }) => (FORM_RULES.includes(ruleId) ? elements.map(({ target }) => [ruleId, target.flat()]) : []));
      return { judged: judged(page), partial: page.partial, elements, sent: site.requests.filter((path) => path.startsWith("/out")) };
    } finally {
      await site.close();
    }
  };
  const wrong = "event.preventDefault(); place.mark";
  const clean = { partial: [], sent: [] };

  it.each([
    ["is sent, and not judged", componentForm(""), { judged: { "rampe-required-unmarked": "passes" } }],
    ["only gets other colours", componentForm(`${wrong}()`), { judged: { "rampe-error-in-text": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" }, elements: [["rampe-error-in-text", ["#place", "#field"]]] }],
    ["gets a message that is not told", componentForm(`${wrong}("Please enter the place.")`), { judged: { "rampe-error-in-text": "passes", "rampe-error-told": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" } }],
    ["gets a message to which the field refers", componentForm(`${wrong}("Please enter the place."); place.field.focus()`, "told"), { judged: { "rampe-error-told": "passes", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" } }],
    ["gets the focus without a reference", componentForm(`${wrong}("Please enter the place."); place.field.focus()`), { judged: { "rampe-error-told": "incomplete", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" } }],
    ["loses a typed text", componentForm(`${wrong}(); note.field.value = ""`), { judged: { "rampe-error-in-text": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "incomplete" } }],
    ["may get a message of the browser", componentForm(`${wrong}(); note.mark(); note.field.required = true; note.field.reportValidity()`), { judged: { "rampe-error-in-text": "incomplete" } }],
  ])("with fields in components: %s", async (_what, body, expected) => {
    await expect.poll(() => check(body)).toMatchObject({ ...clean, ...expected });
  });

  it.each([
    ["is sent, and not judged", innerForm(""), { judged: { "rampe-required-unmarked": "passes" } }],
    ["only gets other colours", innerForm(`event.preventDefault(); $("#place").style.borderColor = "#c00"`), { judged: { "rampe-error-in-text": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" }, elements: [["rampe-error-in-text", ["#host", "#place"]]] }],
    ["gets a message that is not told", innerForm(`event.preventDefault(); $("#error").textContent = "Please enter the place."`), { judged: { "rampe-error-told": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" } }],
    ["gets a message in a live region", innerForm(`event.preventDefault(); $("#error").setAttribute("role", "alert"); $("#error").textContent = "Please enter the place."`), { judged: { "rampe-error-told": "passes", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "passes" } }],
    ["loses a typed text", innerForm(`event.preventDefault(); $("#place").style.borderColor = "#c00"; event.target.reset()`), { judged: { "rampe-error-in-text": "violations", "rampe-required-unmarked": "passes", "rampe-typed-text-kept": "incomplete" } }],
  ])("in one component: %s", async (_what, body, expected) => {
    await expect.poll(() => check(body)).toMatchObject({ ...clean, ...expected });
  });

  it("in a dialog that a control opens is found there", async () => {
    const body = innerForm(`event.preventDefault(); $("#place").style.borderColor = "#c00"`).replace(/<div id="host"><\/div>/, `<button type="button" aria-haspopup="dialog" onclick="box.showModal()">Ask</button><dialog id="box" aria-label="Ask"><button type="button" onclick="box.close()">Close</button><div id="host"></div></dialog>`);
    await expect.poll(() => check(body)).toMatchObject({ ...clean, judged: { "rampe-error-in-text": "violations", "rampe-typed-text-kept": "passes" } });
  });

  it("whose message may be in a closed part is not called checked", async () => {
    const closed = `<script>customElements.define("x-error", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<p>Please enter the place.</p>" } })</script>`;
    const body = innerForm(`event.preventDefault(); $("#place").style.borderColor = "#c00"; $("#error").innerHTML = "<x-error></x-error>"`).replace("<div id=\"host\">", `${closed}<div id="host">`);
    const { judged: outcome, partial } = await check(body);
    expect(partial).toEqual(expect.arrayContaining(["rampe-error-in-text", "rampe-error-told"]));
    expect(outcome).not.toHaveProperty("rampe-error-in-text");
  });
});

describe("a form in a dialog that a control opens", () => {
  const form = (name: string, handled: string, more = "") => `<form novalidate action="/out/${name}" method="post" ${more}><label>Place * <input name="place" class="${name}" required></label> <label>Note <input class="note"></label> <button>Send</button></form>`
    + `<script>document.querySelector("form[action='/out/${name}']").onsubmit = (event) => { ${handled} }</script>`;
  const dialog = (name: string, content: string) => `<button type="button" class="open-${name}" aria-haspopup="dialog" onclick="${name}.showModal()">${name}</button><dialog id="${name}" aria-label="${name}"><button type="button" onclick="${name}.close()">Close</button>${content}</dialog>`;
  const red = (name: string) => `event.preventDefault(); document.querySelector(".${name}").style.borderColor = "#c00"`;
  const check = async (markup: string) => {
    const site = await openSite({ "/": pageWith(markup) });
    try {
      const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced: true, rules: { only: [...ONLY.only, "rampe-expanded-state"] }, pictures: true }));
      return { page, sent: site.requests.filter((path) => path.startsWith("/out")) };
    } finally {
      await site.close();
    }
  };
  const outcomeOf = async (markup: string) => {
    const { page, sent } = await check(markup);
    return { judged: judged(page), partial: page.partial, sent };
  };

  it("is submitted empty, and reported with the way there", async () => {
    // On a busy machine, an effect may come too late to be seen.
    await expect.poll(async () => {
      const { page } = await check(dialog("Contact", form("ask", red("ask"))));
      return { partial: page.partial, elements: page.findings.violations.find(({ ruleId }) => ruleId === "rampe-error-in-text")?.elements };
    }).toMatchObject({ partial: [], elements: [{ target: [".ask"], conditions: ["opened"], context: { opened: "Contact" }, picture: expect.any(Uint8Array) as Uint8Array }] });
  });

  it("gets a text as well, and keeps it or not", () =>
    expect.poll(() => outcomeOf(dialog("Contact", form("ask", `${red("ask")}; event.target.reset()`)))).toMatchObject({ judged: { "rampe-error-in-text": "violations", "rampe-typed-text-kept": "incomplete" }, partial: [], sent: [] }));

  it("is not sent", () => expect.poll(() => outcomeOf(dialog("Contact", form("ask", "")))).toMatchObject({ judged: { "rampe-required-unmarked": "passes" }, partial: [], sent: [] }));

  it("beside a form of the page: both are reported", async () => {
    await expect.poll(async () => {
      const { page } = await check(`${form("page", red("page"))}${dialog("Contact", form("ask", red("ask")))}`);
      return { partial: page.partial, targets: page.findings.violations.find(({ ruleId }) => ruleId === "rampe-error-in-text")?.elements.map(({ target, context }) => [target.join(), context?.opened]) };
    }).toEqual({ partial: [], targets: [[".page", undefined], [".ask", "Contact"]] });
  });

  it("is not called checked where a second one is behind another control", async () => {
    const { partial } = await outcomeOf(dialog("Contact", form("ask", red("ask"))) + dialog("Order", form("order", red("order"))));
    expect(partial).toEqual(FORM_RULES.toSorted());
  });

  it("is not called checked where it is behind two controls", async () => {
    const { partial } = await outcomeOf(`<details><summary>More</summary><p>More</p>${dialog("Contact", form("ask", red("ask")))}</details>`);
    expect(partial).toEqual(FORM_RULES.toSorted());
  });
});

describeHostileOperation("forms of hostile pages", submitted, FORM_RULES, { blameless: true });
