import { expect, type Page } from "@playwright/test";

/** Elements that overflow the page, or are cut off, with all details open. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const folded of document.querySelectorAll<HTMLDetailsElement>("main details")) folded.open = true;
    const nameOf = (element: Element) => element.outerHTML.slice(0, 100);
    const { scrollWidth, clientWidth } = document.documentElement;
    const all = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
    const wide = scrollWidth > clientWidth ? all.filter((element) => element.getBoundingClientRect().right > clientWidth) : [];
    const cut = all.filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const isText = element.textContent !== "" && !element.closest(".visually-hidden, .data-table thead, svg");
      return (
        isText &&
        ((hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (hides(overflowY) && element.scrollHeight > element.clientHeight + 1))
      );
    });
    return [...wide.map((element) => `too wide: ${nameOf(element)}`), ...cut.map((element) => `cut off: ${nameOf(element)}`)];
  });
}

/** Text spacing of WCAG 1.4.12; in a constructed style sheet, as the pages allow no others. */
function spaceText(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
  });
}

/** Expects no horizontal scrolling and no cut text, also with spaced text, and with spaced text in a narrower window. */
export async function expectFit(page: Page, what: string): Promise<void> {
  expect(await overflowing(page), what).toEqual([]);
  await spaceText(page);
  expect(await overflowing(page), `${what} with spaced text`).toEqual([]);
  const size = page.viewportSize();
  if (!size || size.width <= NARROWER) return;
  await page.setViewportSize({ ...size, width: NARROWER });
  expect(await overflowing(page), `${what} with spaced text on ${NARROWER} px`).toEqual([]);
  await page.setViewportSize(size);
}

/** Expects no horizontal scrolling on a phone with text at 200 %. The last check of a page: its text stays large. */
export async function expectLargeTextFit(page: Page, what: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: PHONE, height: 667 });
  const tooWide = await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% !important }");
    document.adoptedStyleSheets = [sheet];
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
  expect(tooWide, `${what} with text at 200 %`).toBe(0);
  if (size) await page.setViewportSize(size);
}

const PHONE = 375;

/** A tablet, or half a screen; in CSS px. */
const NARROWER = 768;

/** Screens on which everything must fit; the first is 320 px wide like a phone, and less high. */
export const VIEWS = [
  { name: "at 400 % on a screen of 1280 px", viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 },
  { name: "on a screen of 1280 px", viewport: { width: 1280, height: 800 } },
];
