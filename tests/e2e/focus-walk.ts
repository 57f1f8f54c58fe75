import { expect, type Page } from "@playwright/test";

/** Focused control, and whether the focus is visible. */
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

/** Controls of the page in reading order; of each group of radio buttons, only the chosen one, otherwise the first. */
function controls(page: Page, within = "body"): Promise<string[]> {
  return page
    .locator(within)
    .locator("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")
    .evaluateAll((found) => {
      const isStop = (each: Element) => {
        if (!(each instanceof HTMLInputElement) || each.type !== "radio") return true;
        const group = found.filter((other) => other instanceof HTMLInputElement && other.form === each.form && other.name === each.name);
        return each === (group.find((other) => (other as HTMLInputElement).checked) ?? group[0]);
      };
      return found.filter((each) => each.checkVisibility() && isStop(each)).map((each) => each.outerHTML.slice(0, 120));
    });
}

/** Tabs through the page until the focus leaves it. */
async function walk(page: Page, atMost: number): Promise<{ name: string; visible: boolean }[]> {
  const stops = [];
  for (let count = 0; count <= atMost; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`The focus does not leave the page: ${stops.map(({ name }) => name).join("\n")}`);
}

/** Moves through the whole page with Tab: each control is reached, in reading order, and visible. */
export async function expectWholeWalk(page: Page, what = page.url()): Promise<void> {
  const expected = await controls(page);
  const stops = await walk(page, expected.length);
  expect(stops.map(({ name }) => name), what).toEqual(expected);
  expect(stops.filter(({ visible }) => !visible), `${what}, out of sight`).toEqual([]);
}

/** Moves from the current focus to the end of the page with Tab: each control is reached, in reading order, and visible. */
export async function expectWalkOn(page: Page): Promise<void> {
  const all = await controls(page);
  const stops = await walk(page, all.length);
  expect(stops.map(({ name }) => name)).toEqual(all.slice(-stops.length));
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
}

/** Moves through a page's own controls with Tab, up to the footer, which all pages share: each is reached, in reading order, and visible. */
export async function expectMainWalk(page: Page, what = page.url()): Promise<void> {
  const [own, footer] = await Promise.all([controls(page, "main"), controls(page, "footer")]);
  const expected = [...own, ...footer.slice(0, 1)];
  await page.locator("main").focus();
  const stops = [];
  while (stops.length < expected.length) {
    await page.keyboard.press("Tab");
    stops.push(await focused(page));
  }
  expect(stops.map((stop) => stop?.name), what).toEqual(expected);
  expect(stops.filter((stop) => !stop?.visible), `${what}, out of sight`).toEqual([]);
}
