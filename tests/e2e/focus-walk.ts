import { expect, type Page } from "@playwright/test";

/** What has the focus: which of the page's controls, and whether one can see that. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const onScreen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return {
      name: element.outerHTML.slice(0, 120),
      visible: onScreen && outlineStyle === "solid" && parseFloat(outlineWidth) >= 2,
    };
  });
}

/** The page's controls in reading order; of radio buttons, the one that is chosen stands for its group. */
function controls(page: Page) {
  return page
    .locator("a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, summary, [tabindex='0']")
    .evaluateAll((found) => found.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 120)));
}

/** Tabs through the page from its beginning to its end: every control is reached, in reading order, and in sight. */
export async function expectWholeWalk(page: Page, what: string): Promise<void> {
  const expected = await controls(page);
  const stops: { name: string; visible: boolean }[] = [];
  for (let count = 0; count <= expected.length; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (!stop) break;
    stops.push(stop);
  }
  expect(stops.map(({ name }) => name), what).toEqual(expected);
  expect(stops.filter(({ visible }) => !visible), `${what}, out of sight`).toEqual([]);
}
