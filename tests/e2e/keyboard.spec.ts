import type { Page } from "@playwright/test";
import { signedInPages } from "../support/own-pages";
import { demo, expect, test } from "./test";

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

/** The page's controls in reading order. */
function controls(page: Page) {
  return page
    .locator("a[href], button, input:not([type=hidden]), summary")
    .evaluateAll((found) => found.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 120)));
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

async function expectWholeWalk(page: Page): Promise<void> {
  const expected = await controls(page);
  const stops = await walk(page, expected.length);
  expect(stops.map(({ name }) => name)).toEqual(expected);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
}

// Else the page is still on its way to the control that has the focus when we look.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("the first stop leads past the navigation to the content", async ({ page, t, open }) => {
  await open("/");
  const skip = page.getByRole("link", { name: t("skip") });
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel(t("home:form.label"))).toBeFocused();
});

test("home is walked from end to end, in reading order and in sight", async ({ page, open }) => {
  await open("/");
  await expectWholeWalk(page);
});

test("a result is walked from end to end, in reading order and in sight", async ({ page, checked }) => {
  await checked(demo("/barriers"));
  await expect(page.locator(".violation")).toHaveCount(3);
  await page.reload();
  await expectWholeWalk(page);
});

test("the open menu is walked in reading order", async ({ page, open }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await open("/eaa");
  const menu = page.locator("summary").first();
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation")).toBeVisible();
  const all = await controls(page);
  const stops = await walk(page, all.length);
  expect(stops.map(({ name }) => name)).toEqual(all.slice(-stops.length));
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
});

test("pages of an account are walked from end to end, in reading order and in sight", async ({ page, baseURL, open, joined }) => {
  for (const path of await signedInPages(baseURL, await joined())) {
    await open(path);
    await expectWholeWalk(page);
  }
});

test("forms to get into an account are walked from end to end, in reading order and in sight", async ({ page, open }) => {
  for (const path of ["/login", "/register", "/forgot-password"]) {
    await open(path);
    await expectWholeWalk(page);
  }
});

test.describe("a form that is refused", () => {
  test.use({ expectedStatuses: [422] });

  test("is put right by keyboard alone", async ({ page, t, open, javaScriptEnabled }) => {
    await open("/forgot-password");
    const field = page.getByLabel(t("account:field.email"), { exact: true });
    await field.focus();
    await page.keyboard.type("keine Adresse");
    await page.keyboard.press("Enter");
    const summary = page.getByRole("alert");
    await expect(summary).toBeVisible();
    // With scripts the summary has the focus; without, the page begins anew.
    if (javaScriptEnabled) await expect(summary).toBeFocused();
    else for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
    await page.keyboard.press("Tab");
    await expect(summary.getByRole("link")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("niemand@example.org");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("account:forgot.sentHeading"));
  });
});

test("the open menu of somebody who is signed in is walked in reading order", async ({ page, open, joined }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await joined();
  await open("/setup");
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation")).toBeVisible();
  const all = await controls(page);
  const stops = await walk(page, all.length);
  expect(stops.map(({ name }) => name)).toEqual(all.slice(-stops.length));
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
});

test("a check is started and read by keyboard alone", async ({ page, t, open }) => {
  await open("/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo("/clean"));
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("check:violations.none"))).toBeVisible();
});
