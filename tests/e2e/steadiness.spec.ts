import { expect, test } from "./test";

for (const width of [320, 1280]) {
  test(`the layout of the home page does not shift while it loads (${width} px)`, { tag: "@scripts" }, async ({ page, open }) => {
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

for (const path of ["/", "/login", "/bfsg"]) {
  test(`a click on ${path} before the scripts are ready breaks nothing`, { tag: "@scripts" }, async ({ page, open }) => {
    await page.addInitScript(() => {
      // Messages are more frequent than timers, so that one comes between any two steps of the scripts.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        document.querySelector("h1")?.click();
        if (performance.now() < 2_000) port2.postMessage("again");
      };
      port2.postMessage("begin");
    });
    // Waits for hydration; the browser reports no error.
    await open(path);
  });
}
