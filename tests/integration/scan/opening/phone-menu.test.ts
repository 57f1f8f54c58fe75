import { afterAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { checkWhole } from "../../../support/scan/judge-page";
import { expectChecked, testScanner, WCAG22AA } from "../../../support/scan/scanner";
import { openSite, pageWith } from "../../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

async function check(body: string, request: Partial<PageRequest> = {}, tries?: number): Promise<CheckedPage> {
  const site = await openSite({ "/": pageWith(body) });
  try {
    return await checkWhole(scanner, { url: site.url("/"), advanced: true, pictures: true, ...request }, tries);
  } finally {
    await site.close();
  }
}

const STYLE = `<style>
  .burger, .phone { display: none; border: 0; padding: 1rem; color: #000; background: #fff }
  @media (max-width: 600px) { .burger, .phone { display: block } .bar { display: none } }
</style><nav class="bar" aria-label="Main"><a href="/start">Start</a></nav>`;
const OPENS = "menu.hidden = !menu.hidden; this.ariaExpanded = String(!menu.hidden)";
const burger = (attributes: string) => `<button type="button" id="burger" class="burger" ${attributes}>Menü</button>`;
const menuOf = (content: string) => `<nav id="menu" aria-label="Pages" hidden>${content}</nav><p>Welcome</p>`;
const GOOD = `<a id="good" href="/shop">Shop</a>`;
const NAMELESS = `<a id="nameless" href="/cart"><svg width="20" height="20"><path d="M0 0h20v20z"/></svg></a>`;

/** Elements of a rule, with the view in which they are and the way there. */
const found = ({ findings }: CheckedPage, ruleId: string, category: (typeof CATEGORIES)[number] = "violations") =>
  findings[category].filter((rule) => rule.ruleId === ruleId).flatMap(({ elements }) => elements.map(({ target, conditions, context }) => [target.join(), conditions, context?.opened]));

/** Width of a WebP picture, in pixels. */
const widthOf = (picture: Uint8Array) => {
  const at = Buffer.from(picture);
  return at.toString("latin1", 12, 16) === "VP8X" ? at.readUIntLE(24, 3) + 1 : at.readUInt16LE(26) & 0x3fff;
};

describe("the button of a menu that exists only on a phone", () => {
  it("is opened there: what it shows is judged and pictured, with the way there", async () => {
    const page = await check(STYLE + burger(`aria-expanded="false" onclick="${OPENS}"`) + menuOf(NAMELESS + GOOD));
    expect(found(page, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "link-name")?.conditions).toContain("phone");
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-opens-by-keyboard")?.conditions).toEqual(["phone"]);
    expect(found(page, "rampe-expanded-state")).toEqual([]);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
    const picture = page.findings.violations.find(({ ruleId }) => ruleId === "link-name")?.elements[0]?.picture;
    expect(picture && widthOf(picture)).toBeLessThanOrEqual(320);
  });

  it("is asked about if it does not tell whether the menu is open", async () => {
    const page = await check(STYLE + burger(`onclick="menu.hidden = !menu.hidden"`) + menuOf(GOOD));
    expect(found(page, "rampe-expanded-state", "incomplete")).toEqual([["#burger", ["phone"], undefined]]);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
  });

  it.each([
    ["says that it opens something", `aria-expanded="false"`],
    ["is only named like one", ""],
  ])("fails if it opens for the pointer alone and %s", async (_what, attributes) => {
    const page = await check(STYLE + burger(`${attributes} onmousedown="${OPENS}"`) + menuOf(NAMELESS));
    expect(found(page, "rampe-opens-by-keyboard")).toEqual([["#burger", ["phone"], undefined]]);
    expect(found(page, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
  });

  it("may be a link or the label of a checkbox", async () => {
    const link = await check(`${STYLE}<a id="burger" class="burger" href="#" onclick="menu.hidden = !menu.hidden; return false">Menü</a>${menuOf(NAMELESS)}`);
    expect(found(link, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
    expect(found(link, "rampe-expanded-state", "incomplete")).toEqual([["#burger", ["phone"], undefined]]);
    const label = await check(`${STYLE}<style>#box:not(:checked) ~ #menu { display: none }</style><input type="checkbox" id="box" style="position: absolute; opacity: 0"><label for="box" id="burger" class="burger">Menü</label><nav id="menu" aria-label="Pages">${NAMELESS}</nav>`);
    expect(found(label, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
    expect(found(label, "rampe-expanded-state", "incomplete")).toEqual([]);
    expect(found(label, "rampe-opens-by-keyboard")).toEqual([]);
  });

  it("is no link that leads on in the page, and no other button", async () => {
    const page = await check(`${STYLE}<a class="phone" href="#end">Menu of the day</a><button type="button" class="phone" onclick="this.textContent = 'Saved'">Save</button><p style="margin-top: 3000px" id="end">Soup</p>`);
    for (const id of ["rampe-expanded-state", "rampe-opens-by-keyboard"]) for (const category of ["violations", "incomplete"] as const) expect(found(page, id, category)).toEqual([]);
    expect(page.gaps.unopened).toBe(0);
  });

  it("fails if its menu covers the page and does not get the focus", async () => {
    const overlay = (script: string) => `${STYLE}${burger(`aria-expanded="false" aria-haspopup="dialog" onclick="box.hidden = false; ${script}"`)}<p>Welcome</p>
      <div id="box" role="dialog" aria-modal="true" aria-label="Pages" hidden style="position: fixed; inset: 0; background: #fff">${GOOD}<button type="button" id="leave" onclick="box.hidden = true; burger.focus()">Close</button></div>
      <script>
        document.onkeydown = (event) => {
          if (box.hidden) return;
          if (event.key === "Escape") leave.click();
          if (event.key === "Tab" && box.contains(document.activeElement)) { event.preventDefault(); leave.focus() }
        };
      </script>`;
    const outside = await check(overlay(""));
    expect(found(outside, "rampe-dialog-focus")).toEqual([["#burger", ["phone"], undefined]]);
    const inside = await check(overlay("leave.focus()"));
    expect(found(inside, "rampe-dialog-focus")).toEqual([]);
    for (const id of ["rampe-dialog-focus", "rampe-dialog-close", "rampe-focus-return"]) expect(inside.findings.passes.find(({ ruleId }) => ruleId === id)?.conditions).toEqual(["phone"]);
  });

  it("is opened although a script creates it only there", async () => {
    const page = await check(`<header id="head"></header><main><p>Welcome</p></main><script>
      const narrow = matchMedia("(max-width: 600px)");
      const render = () => { head.innerHTML = narrow.matches ? '<button type="button" id="burger" aria-expanded="false" onclick="${OPENS}">Menü</button><nav id="menu" hidden>${NAMELESS}</nav>' : '<nav><a href="/start">Start</a></nav>' };
      narrow.onchange = render; render();
    </script>`);
    expect(found(page, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
  });

  it("is opened after everything that is on the desktop, whose results stay", async () => {
    const page = await check(`${STYLE}${burger(`aria-expanded="false" onclick="${OPENS}"`)}${menuOf(NAMELESS)}
      <button type="button" id="wide" aria-expanded="false" onclick="more.hidden = !more.hidden">More</button><div id="more" hidden><img src="/logo.png"></div>
      <form novalidate onsubmit="event.preventDefault(); place.style.borderColor = 'red'"><label>Place * <input id="place" required></label><button>Show</button></form>`);
    expect(found(page, "link-name")).toEqual([["#nameless", ["phone"], "Menü"]]);
    expect(found(page, "image-alt").filter(([, conditions]) => conditions)).toEqual([[expect.stringContaining("logo.png"), ["opened"], "More"]]);
    expect(found(page, "rampe-expanded-state")).toEqual([["#wide", undefined, undefined]]);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-expanded-state")?.conditions).toEqual(["phone"]);
    expect(found(page, "rampe-error-in-text").length + found(page, "rampe-error-in-text", "incomplete").length).toBe(1);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
  });

  it("does not count twice what the desktop shows without it", async () => {
    const page = await check(`<style>#burger { display: none } @media (max-width: 600px) { #burger { display: block } #menu:not(.open) { display: none } }</style>
      ${burger(`aria-expanded="false" onclick="this.ariaExpanded = String(menu.classList.toggle('open'))"`)}<nav id="menu">${NAMELESS}</nav><p>Welcome</p>`);
    expect(found(page, "link-name")).toEqual([["#nameless", ["desktop", "phone"], undefined]]);
    expect(page.findings.violations.find(({ ruleId }) => ruleId === "link-name")?.elementCount).toBe(1);
  });

  it("is used for the rules about opening alone, too", async () => {
    const page = await check(STYLE + burger(`aria-expanded="false" onmousedown="${OPENS}"`) + menuOf(GOOD), { rules: { only: ["rampe-opens-by-keyboard"] } });
    expect(found(page, "rampe-opens-by-keyboard")).toEqual([["#burger", ["phone"], undefined]]);
  });
});

describe("what could not be tried on a phone is named", () => {
  const scan = async (body: string, pageSeconds?: number) => {
    const site = await openSite({ "/": pageWith(body) });
    const own = pageSeconds === undefined ? scanner : testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds });
    try {
      return expectChecked(await own.check({ url: site.url("/"), standard: WCAG22AA, advanced: true }));
    } finally {
      if (own !== scanner) await own.stop();
      await site.close();
    }
  };
  const RULES = ["rampe-opens-by-keyboard", "rampe-expanded-state", "rampe-dialog-focus"];

  it("where a click hangs", async () => {
    const page = await scan(STYLE + burger(`aria-expanded="false" onclick="for (;;);"`) + menuOf(GOOD), 20);
    expect(page.partial).toEqual(expect.arrayContaining(RULES));
    expect(page.gaps.unopened).toBe(1);
    expect(page.durationMs).toBeLessThan(20_000);
  });

  it("where it never ends to make new content", async () => {
    const page = await scan(`${STYLE}${burger(`aria-expanded="false" onclick="const more = () => { for (let n = 0; n < 50; n += 1) menu.append(document.createElement('hr')); setTimeout(more, 5) }; menu.hidden = false; more()"`)}${menuOf(GOOD)}`, 20);
    expect(page.durationMs).toBeLessThan(20_000);
    expect(found(page, "image-alt")).toEqual([["#bare", undefined, undefined]]);
  });

  it("where it would lead away, or removes the page", async () => {
    const leaving = await scan(STYLE + burger(`aria-expanded="false" onclick="location = '/out/away'"`));
    expect(leaving.finalUrl).toMatch(/\/$/);
    expect(leaving).toMatchObject({ gaps: { unopened: 0 } });
    const removing = await scan(STYLE + burger(`aria-expanded="false" onclick="document.documentElement.replaceChildren()"`));
    expect(found(removing, "image-alt")).toEqual([["#bare", undefined, undefined]]);
  });

  it("where a modal menu stays open, in front of another control", async () => {
    const page = await scan(`${STYLE}${burger(`aria-expanded="false" onclick="box.showModal()"`)}<button type="button" class="phone" aria-expanded="false">Account</button><p>Welcome</p>
      <dialog id="box" aria-label="Pages"><button type="button">Stay</button></dialog><script>box.addEventListener("cancel", (event) => event.preventDefault()); box.onkeydown = (event) => event.preventDefault()</script>`);
    expect(page.partial).toEqual(expect.arrayContaining(RULES));
    expect(page.gaps.unopened).toBe(1);
    expect(found(page, "rampe-dialog-close", "incomplete")).toEqual([["#burger", ["phone"], undefined]]);
  });

  it("where there are more controls than are tried", async () => {
    const many = Array.from({ length: 6 }, (_, index) => `<button type="button" class="phone c${index}" aria-expanded="false">Part ${index}</button>`).join("");
    expect((await scan(`${STYLE}${many}<p>Welcome</p>`)).gaps.unopened).toBeGreaterThanOrEqual(2);
  });

  it("and a page without such a control has none of it", async () => {
    const page = await check(`<style>@media (max-width: 600px) { #wide { padding: 4px } }</style><button type="button" id="wide" aria-expanded="false" onclick="more.hidden = !more.hidden; this.ariaExpanded = String(!more.hidden)">More</button><div id="more" hidden><p>Text</p></div>`);
    expect(page.findings.passes.find(({ ruleId }) => ruleId === "rampe-opens-by-keyboard")?.conditions).toBeUndefined();
    const onPhone = CATEGORIES.flatMap((category) => page.findings[category]).filter(({ conditions }) => conditions?.includes("phone"));
    // The button has another size there.
    expect(onPhone.map(({ ruleId }) => ruleId)).toEqual(["target-size"]);
    expect(page).toMatchObject({ partial: [], gaps: { unopened: 0 } });
  });
});
