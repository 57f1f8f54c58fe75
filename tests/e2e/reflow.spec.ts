import { PATTERN_PAGES, publicPages } from "../support/browser/own-pages";
import { expectFit } from "./overflow";
import { demo, expect, test } from "./test";

const ANSWERED = "/bfsg/check?offer=contract&audience=consumers&staff=many&money=large";

test.use({ viewport: { width: 1280, height: 800 }, expectedStatuses: [404, 422] });

test("no page scrolls sideways or cuts off text, and all targets have the minimum size", async ({ page, t, baseURL, open, check, checked }) => {
  for (const path of await publicPages(baseURL)) {
    await open(path);
    await expectFit(page, path);
  }
  await open("/");
  await check("kein Ort");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectFit(page, "a refused address");

  expect(PATTERN_PAGES, "each is tried below").toEqual(["/check/:id", "/sample/:category", "/sample/:category/:rule", "/sample/:category/:rule/:page/:position", "/rules/:id", "/*"]);
  const more = ["/sample/violations", "/sample/violations/color-contrast", "/sample/violations/image-alt/1/0", "/rules/aria-required-children", "/bfsg/check?sent=", ANSWERED];
  for (const path of more) {
    await open(path);
    await expectFit(page, path);
  }
  await checked(demo("/barriers"));
  await expect(page.locator(".violation")).toHaveCount(3);
  await expectFit(page, "a result");
  await checked(demo(`/nothing/${"at-all".repeat(30)}`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("check:failure.heading.page"));
  await expectFit(page, "a failed check");
  await open("/no/such/page");
  await expectFit(page, "an error page");

  await open("/");
  await page.setViewportSize({ width: 320, height: 568 });
  await page.locator("summary").first().click();
  await expect(page.getByRole("navigation")).toBeVisible();
  await expectFit(page, "the open menu");
});
