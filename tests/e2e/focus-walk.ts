import { expect, type Page } from "@playwright/test";

/** The focused control, and whether the focus is visible. */
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

/** The page's controls in reading order; of each group of radio buttons, only the chosen one, or else the first. */
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

/** Tabs through the page from its beginning to its end: each control is reached, in reading order, and visible. */
export async function expectWholeWalk(page: Page, what = page.url()): Promise<void> {
  const expected = await controls(page);
  const stops = await walk(page, expected.length);
  expect(stops.map(({ name }) => name), what).toEqual(expected);
  expect(stops.filter(({ visible }) => !visible), `${what}, out of sight`).toEqual([]);
}

/** Tabs from the current focus to the end of the page: each control is reached, in reading order, and visible. */
export async function expectWalkOn(page: Page): Promise<void> {
  const all = await controls(page);
  const stops = await walk(page, all.length);
  expect(stops.map(({ name }) => name)).toEqual(all.slice(-stops.length));
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
}

/** Tabs through a page's own controls, up to the footer, which all pages share: each one is reached, in reading order, and visible. */
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
