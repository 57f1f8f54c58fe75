import type { Page } from "@playwright/test";
import { PATTERN_PAGES, plainPages } from "../support/own-pages";
import { demo, expect, test } from "./test";

/** What sticks out of the page, or is cut off in it. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) => element.outerHTML.slice(0, 100);
    const { scrollWidth, clientWidth } = document.documentElement;
    const all = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
    const wide = scrollWidth > clientWidth ? all.filter((element) => element.getBoundingClientRect().right > clientWidth) : [];
    const cut = all.filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const isText = element.textContent !== "" && !element.closest(".visually-hidden, svg");
      return (
        isText &&
        ((hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (hides(overflowY) && element.scrollHeight > element.clientHeight + 1))
      );
    });
    return [...wide.map((element) => `too wide: ${nameOf(element)}`), ...cut.map((element) => `cut off: ${nameOf(element)}`)];
  });
}

/** What a visitor may set (WCAG 1.4.12); a constructed style sheet, for the pages allow no others. */
function spaceText(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
  });
}

const VIEWS = [
  { name: "on a screen of 320 px", viewport: { width: 320, height: 568 } },
  { name: "at 400 % on a screen of 1280 px", viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  { name: "on a screen of 1280 px", viewport: { width: 1280, height: 800 } },
];

for (const { name, ...view } of VIEWS) {
  test.describe(name, () => {
    test.use({ ...view, expectedStatuses: [404, 422] });

    test("nothing scrolls sideways or is cut off, also with spaced text", async ({ page, t, baseURL, open, check, checked }) => {
      const expectFit = async (what: string) => {
        expect(await misfits(page), what).toEqual([]);
        await spaceText(page);
        expect(await misfits(page), `${what} with spaced text`).toEqual([]);
      };

      for (const path of await plainPages(baseURL)) {
        await open(path);
        await expectFit(path);
      }
      await open("/");
      await check("kein Ort");
      await expect(page.getByRole("alert")).toBeVisible();
      await expectFit("a refused address");

      expect(PATTERN_PAGES, "each is tried below").toEqual(["/check/:id", "/*"]);
      await checked(demo("/barriers"));
      await expect(page.locator(".violation")).toHaveCount(3);
      for (const closed of await page.locator("main summary").all()) await closed.click();
      await expectFit("a result");
      await checked(demo(`/nothing/${"at-all".repeat(30)}`));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("check:failure.heading"));
      await expectFit("a failed check");
      await open("/no/such/page");
      await expectFit("an error page");

      await open("/");
      const menu = page.locator("summary").first();
      if (await menu.isVisible()) await menu.click();
      await expect(page.getByRole("navigation")).toBeVisible();
      await expectFit("the open menu");
    });
  });
}
