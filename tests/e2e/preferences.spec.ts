import { demo, expect, test } from "./test";

test.describe("a visitor who prefers reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("sees no animation", async ({ page, open }) => {
    await open("/");
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe("auto");
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});

test.describe("a visitor with forced colours", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("sees the focus and the chosen setting", async ({ page, t, open }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open("/");
    const field = page.getByLabel(t("home:form.label"));
    await field.focus();
    await expect(field).toHaveCSS("outline-style", "solid");
    await expect(field).toHaveCSS("outline-width", "3px");
    await expect(page.getByRole("button", { pressed: true }).first()).toHaveCSS("outline-style", "solid");
  });

  test("can read a result", async ({ page, checked }) => {
    await checked(demo("/barriers"));
    await expect(page.locator(".violation")).toHaveCount(3);
    await expect(page.locator(".impact").first()).toHaveCSS("border-style", "solid");
  });
});
