import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CATEGORIES, CheckedPage } from "~/scan/types";
import { checkWhole } from "../../../support/scan/judge-page";
import { testScanner } from "../../../support/scan/scanner";
import { openSite, pageWith } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

async function check(inFrame: string, around = "", tries?: number): Promise<CheckedPage> {
  const site = await openSite({ "/": pageWith(`<p>Welcome</p><iframe id="frame" title="Tickets" src="/frame" width="600" height="400"></iframe>${around}`), "/frame": pageWith(inFrame) });
  try {
    return await checkWhole(scanner, { url: site.url("/"), advanced: true, pictures: true }, tries);
  } finally {
    await site.close();
  }
}

const LINKS = `<p><a href="#a" id="a">Ahlen</a> <a href="#b">Bonn</a> <a href="#c">Celle</a> <a href="#e">Emden</a></p>`;
const OPENER = `<button type="button" id="o" onclick="d.hidden = false; y.focus()">Cancel</button>`;
const DIALOG = (keys: string, content = `<button type="button" id="y">Go on</button>`) => `<div id="d" role="dialog" aria-modal="true" aria-label="Cancel?" hidden onkeydown="${keys}">${content}</div>`;
const ESCAPE = (then: string) => `if (event.key === 'Escape') { d.hidden = true; ${then} }`;
const HELD = "else if (event.key === 'Tab') event.preventDefault()";

/** Rules about stops of the walk that are not judged in frames. */
const OF_THE_PAGE_ALONE = ["rampe-focus-color-only", "rampe-focus-context", "rampe-focus-covered"];

/** Elements of a rule, by the selectors of the frame and of the element in it. */
const found = ({ findings }: CheckedPage, ruleId: string, category: (typeof CATEGORIES)[number] = "violations") =>
  findings[category].filter((rule) => rule.ruleId === ruleId).flatMap(({ elements }) => elements.map(({ target }) => target.join(" ")));
const passes = ({ findings }: CheckedPage, ruleId: string) => findings.passes.find((rule) => rule.ruleId === ruleId)?.elementCount ?? 0;

describe("a dialog in a frame", () => {
  it("passes if it gets the focus, holds it, closes and returns it", async () => {
    const page = await check(LINKS + OPENER + DIALOG(ESCAPE("o.focus()") + HELD));
    for (const id of ["rampe-dialog-focus", "rampe-dialog-close", "rampe-focus-return", "rampe-opens-by-keyboard"]) expect([id, passes(page, id), found(page, id)]).toEqual([id, 1, []]);
    // Listeners in a frame must not keep the rules from its elements.
    expect(page).toMatchObject({ partial: OF_THE_PAGE_ALONE, gaps: { unopened: 0, frames: [] } });
  });

  it("fails if it does not get the focus, or loses it to what is behind it in the frame", async () => {
    const outside = await check(LINKS + OPENER.replace("y.focus()", "") + DIALOG(ESCAPE("")));
    expect(found(outside, "rampe-dialog-focus")).toEqual(["#frame #o"]);
    const left = await check(OPENER + DIALOG(ESCAPE("o.focus()")) + LINKS);
    expect(found(left, "rampe-dialog-focus")).toEqual(["#frame #o"]);
  });

  it("may let the focus go on to the page around the frame, which stays in use", async () => {
    const page = await check(`<button type="button" id="o" onclick="d.showModal()">Cancel</button><dialog id="d" aria-label="Cancel?"><button type="button" onclick="d.close()">Close</button></dialog>`, LINKS);
    expect([passes(page, "rampe-dialog-focus"), found(page, "rampe-dialog-focus")]).toEqual([1, []]);
    expect(passes(page, "rampe-dialog-close")).toBe(1);
    expect(found(page, "rampe-focus-return")).toEqual([]);
  });

  it("fails if the focus is then at the top of the frame, and asks if nothing closes it", async () => {
    const top = await check(LINKS + LINKS.replaceAll(" id=\"a\"", "") + OPENER + DIALOG(ESCAPE("a.focus()") + HELD));
    expect(found(top, "rampe-focus-return")).toEqual(["#frame #o"]);
    const stays = await check(LINKS + OPENER + DIALOG("if (event.key === 'Tab') event.preventDefault()"));
    expect(found(stays, "rampe-dialog-close", "incomplete")).toEqual(["#frame #o"]);
  });

  it("does not hide what is found in the page if its frame hangs, or does nothing", async () => {
    const more = `<div id="more" style="cursor: pointer" onclick="p.hidden = !p.hidden">More</div><p id="p" hidden>Text</p><button type="button" id="silent" aria-expanded="false" onclick="q.hidden = !q.hidden">Hours</button><p id="q" hidden>Nine to six</p>`;
    const hangs = await check(`<button type="button" id="o" aria-expanded="false" onclick="for (;;);">Cancel</button>`, more, 1);
    expect(found(hangs, "rampe-expanded-state")).toEqual(["#silent"]);
    expect(hangs.partial).toContain("rampe-expanded-state");
    const silent = await check(`<button type="button" id="o" aria-expanded="false" onmousedown="1">Cancel</button>`, more, 1);
    expect(found(silent, "rampe-expanded-state")).toEqual(["#silent"]);
    expect(silent.gaps.unopened).toBe(1);
  });

  it("is opened beside what the page opens itself", async () => {
    const page = await check(LINKS + OPENER + DIALOG(ESCAPE("o.focus()") + HELD), `<button type="button" id="more" aria-expanded="false" onclick="p.hidden = !p.hidden; this.ariaExpanded = String(!p.hidden)">More</button><p id="p" hidden>Text</p>`);
    expect(passes(page, "rampe-opens-by-keyboard")).toBe(2);
    expect(page).toMatchObject({ partial: OF_THE_PAGE_ALONE, gaps: { unopened: 0 } });
  });
});
