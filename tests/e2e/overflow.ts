import { expect, type Page } from "@playwright/test";

/** Widths: 1280 px; a tablet, or half a screen; 320 px (1280 px at 400 %), with less height than a phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 800 },
  { width: 320, height: 200 },
];
const PHONE = { width: 375, height: 667 };

/** Minimum size by WCAG 2.5.8, and by 2.5.5 for the main controls of a page; in CSS px. */
const SMALLEST = 24;
const SMALLEST_BUTTON = 44;

/**
 * Expects on screens of all sizes, with all details open: targets have their minimum size; nothing scrolls sideways or is cut
 * off, also with spaced text. On a phone, nothing scrolls sideways with text at 200 %. Last check of a page, as its text stays changed.
 */
export async function expectFit(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  for (const [index, size] of SIZES.entries()) {
    await resize(page, size);
    // Each change of size or text needs a new layout, so each size begins with the last text of the previous one.
    const texts = index % 2 === 0 ? ["", SPACED] : [SPACED, ""];
    const found = await page.evaluate(measure, { texts, smallest: SMALLEST, smallestButton: SMALLEST_BUTTON });
    for (const { css, small, overflowing } of found) {
      const where = `${what}${css && " with spaced text"} on ${size.width} px`;
      expect(small, where).toEqual([]);
      expect(overflowing, where).toEqual([]);
    }
  }
  await style(page, LARGE);
  await resize(page, PHONE);
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(tooWide, `${what} with text at 200 %`).toBeLessThanOrEqual(0);
  if (before) await resize(page, before);
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size);
}

/** Runs in the page. @returns for each text style: targets that are too small, and elements that overflow the page or are cut off */
function measure({ texts, smallest, smallestButton }: { texts: string[]; smallest: number; smallestButton: number }) {
  for (const folded of document.querySelectorAll<HTMLDetailsElement>("main details")) folded.open = true;
  return texts.map((css, index) => {
    // The first style is already applied.
    if (index > 0) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }
    // Targets only become larger with spaced text.
    return { css, small: css === "" ? smallTargets() : [], overflowing: overflowing() };
  });

  function smallTargets(): string[] {
    /** Inline target, which is exempt; axe-core checks the space around it. */
    const isInText = (element: Element) => getComputedStyle(element).display === "inline";
    return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary")]
      .filter((element) => element.checkVisibility() && !element.matches(".skip-link") && !isInText(element))
      // The label of a checkbox, around or beside it, is part of the target.
      .map((element) => ({ element, box: (element.matches("[type=radio], [type=checkbox]") && (element as HTMLInputElement).labels?.[0] || element.closest("label") || element).getBoundingClientRect() }))
      .filter(({ element, box }) => {
        // A field without a label is the checkbox of a table row.
        const isMain = element.matches(".button, summary") || Boolean((element as HTMLInputElement).labels?.length);
        const least = isMain ? smallestButton : smallest;
        return Math.min(box.width, box.height) < least - 0.5;
      })
      .map(({ element, box }) => `${box.width} × ${box.height}: ${element.outerHTML.slice(0, 120)}`);
  }

  function overflowing(): string[] {
    const nameOf = (element: Element) => element.outerHTML.slice(0, 100);
    const { scrollWidth, clientWidth } = document.documentElement;
    const all = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
    const wide = scrollWidth > clientWidth ? all.filter((element) => element.getBoundingClientRect().right > clientWidth) : [];
    const cut = all.filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const isCut =
        (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(overflowY) && element.scrollHeight > element.clientHeight + 1);
      return isCut && element.textContent !== "" && !element.closest(".visually-hidden, .data-table thead, svg");
    });
    return [...wide.map((element) => `too wide: ${nameOf(element)}`), ...cut.map((element) => `cut off: ${nameOf(element)}`)];
  }
}

/** Text spacing of WCAG 1.4.12. */
const SPACED = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const LARGE = "html { font-size: 200% !important }";

/** Replaces the last style, in a constructed style sheet: the pages allow no others. */
function style(page: Page, css: string): Promise<void> {
  return page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);
}
