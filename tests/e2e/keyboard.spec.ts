import { publicPages, signedInPages } from "../support/browser/own-pages";
import { expectMainWalk, expectWalkOn, expectWholeWalk } from "./focus-walk";
import { demo, expect, test } from "./test";

// Without animation: the page would still scroll to the focused control.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("the first Tab stop skips the navigation", async ({ page, t, open }) => {
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

test("the home page can be tabbed through in reading order, with visible focus", async ({ page, open }) => {
  await open("/");
  await expectWholeWalk(page);
});

test("every public page can be tabbed through to its footer, in reading order, with visible focus", async ({ page, baseURL, open }) => {
  const pages = await publicPages(baseURL);
  expect(pages).toEqual(expect.arrayContaining(["/", "/bfsg", "/contact", "/sample", "/api", "/login"]));
  const answered = "/bfsg/check?offer=contract&audience=consumers&staff=few&money=small";
  for (const path of [...pages, answered, "/sample/violations", "/sample/violations/color-contrast"]) {
    await open(path);
    await expectMainWalk(page);
  }
});

test("a result can be tabbed through in reading order, with visible focus", async ({ page, checked }) => {
  await checked(demo("/barriers"));
  await expect(page.locator(".violation")).toHaveCount(3);
  await page.reload();
  await expectWholeWalk(page);
});

test("the open menu can be tabbed through in reading order", async ({ page, t, open }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await open("/eaa");
  const menu = page.locator("summary").first();
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: t("nav.label") })).toBeVisible();
  await expectWalkOn(page);
});

test("pages of an account can be tabbed through in reading order, with visible focus", async ({ page, baseURL, open, joined }) => {
  const [first = "", ...others] = await signedInPages(baseURL, (await joined()).cookie);
  await open(first);
  await expectWholeWalk(page);
  // Only their main content: header and footer are the same.
  for (const path of others) {
    await open(path);
    await expectMainWalk(page);
  }
});

test.describe("a refused form", () => {
  test.use({ expectedStatuses: [422] });

  test("can be tabbed through from its summary to the end of the page", async ({ page, t, open, press }) => {
    await open("/contact");
    await press(t("contact:submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveCount(3);
    await expectWalkOn(page);
  });

  test("can be corrected by keyboard alone", async ({ page, t, open, javaScriptEnabled }) => {
    await open("/forgot-password");
    const field = page.getByLabel(t("account:field.email"), { exact: true });
    await field.focus();
    await page.keyboard.type("keine Adresse");
    await page.keyboard.press("Enter");
    const summary = page.getByRole("alert");
    await expect(summary).toBeVisible();
    // With scripts, the summary has the focus; without them, the page is loaded again.
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

test("the open menu of a signed-in user can be tabbed through in reading order", async ({ page, t, open, joined }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await joined();
  await open("/setup");
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: t("nav.label") })).toBeVisible();
  await expectWalkOn(page);
});

test("a check can be started and read by keyboard alone", async ({ page, t, open, answered }) => {
  await open("/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // The browser follows the link a moment after the key.
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo("/clean"));
  await page.keyboard.press("Enter");
  await answered();
  await expect(page.getByText(t("check:violations.none"))).toBeVisible();
});
