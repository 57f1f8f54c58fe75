import { expect, test } from "./test";

for (const width of [320, 1280]) {
  test(`nothing on home jumps while it loads (${width} px)`, { tag: "@scripts" }, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.toJSON() as unknown))).observe({
        type: "layout-shift",
        buffered: true,
      });
    });
    await open("/");
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual([]);
  });
}
