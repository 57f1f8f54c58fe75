import { demo, expect, test } from "./test";

test.describe("a visitor who wants no motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("sees none", async ({ page, open }) => {
    await open("/");
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe("auto");
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});

test.describe("a visitor with colours of their own", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("sees where the focus is, and which setting is chosen", async ({ page, t, open }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open("/");
    const field = page.getByLabel(t("home:form.label"));
    await field.focus();
    await expect(field).toHaveCSS("outline-style", "solid");
    await expect(field).toHaveCSS("outline-width", "3px");
    await expect(page.getByRole("button", { pressed: true }).first()).toHaveCSS("outline-style", "solid");
  });

  test("reads a result", async ({ page, checked }) => {
    await checked(demo("/barriers"));
    await expect(page.locator(".violation")).toHaveCount(3);
    await expect(page.locator(".impact").first()).toHaveCSS("border-style", "solid");
  });
});
