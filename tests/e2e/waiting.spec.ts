import type { Page } from "@playwright/test";
import type { Texts } from "./texts";
import { demo, expect, inShort, test } from "./test";

// The first answer waits 8 s for the result, so the progress page appears for two seconds.
const LATE = "/slow?seconds=10";

/** Time limit for pages with late content on a busy machine. */
const LATER = { timeout: 90_000 };

async function expectProgress(page: Page, t: Texts): Promise<void> {
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(t("check:progress.heading", { host: inShort(LATE) }));
  await expect(page.locator(".lead")).toHaveText(t("check:progress.running", { seconds: 90 }));
  await expect(page.getByRole("link", { name: t("check:refresh") })).toHaveAttribute("href", new URL(page.url()).pathname);
}

test("a long check shows its progress, then its result without a reload", { tag: "@scripts" }, async ({
  page,
  t,
  open,
  check,
}) => {
  await open("/");
  await check(demo(LATE));
  await expectProgress(page, t);
  await expect(page.getByText(t("check:progress.live"))).toBeVisible();
  await expect(page.locator(".violation")).toHaveCount(3, LATER);
});

test("a long check shows its progress, then its result after a reload", { tag: "@plain" }, async ({
  page,
  t,
  open,
  check,
}) => {
  await open("/");
  await check(demo(LATE));
  await expectProgress(page, t);
  await expect(page.getByText(t("check:progress.manual"))).toBeVisible();

  const moving = () => page.evaluate(() => document.getAnimations().length);
  expect(await moving()).toBe(1);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moving()).toBe(0);

  await page.getByRole("link", { name: t("check:refresh") }).click();
  // A busy machine may need more than one reload.
  const results = async () => {
    if ((await page.locator(".violation").count()) === 0) await page.reload();
    return page.locator(".violation").count();
  };
  await expect.poll(results, { timeout: 90_000 }).toBe(3);
});

test("a link opened during the check leads to the result without a reload", { tag: "@scripts" }, async ({ page, t, open }) => {
  const started = await page.request.post("/?index", { form: { url: demo(LATE) }, maxRedirects: 0 });
  await open(started.headers().location ?? "");
  await expectProgress(page, t);
  await expect(page.locator(".violation")).toHaveCount(3, LATER);
});
