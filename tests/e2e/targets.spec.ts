import { publicPages, signedInPages } from "../support/own-pages";
import { expectLargeTextFit } from "./overflow";
import { demo, expect, openMenu, test } from "./test";

/** Minimum size by WCAG 2.5.8, and by 2.5.5 for the main controls of a page; in CSS px. */
const SMALLEST = 24;
const SMALLEST_BUTTON = 44;

test.use({ expectedStatuses: [422] });

test("all targets have the minimum size, and text at 200 % fits on a phone", async ({ page, t, baseURL, open, press, checked, joined }) => {
  const small = () =>
    page.locator("a[href], button, input:not([type=hidden]), summary").evaluateAll(
      (found, [smallest, smallestButton]) => {
        /** As high as its line of text, and exempt; axe-core checks the space around it. */
        const isInText = (element: Element) => getComputedStyle(element).display === "inline";
        return found
          .filter((element) => element.checkVisibility() && !element.matches(".skip-link") && !isInText(element))
          // The label of a checkbox, around or beside it, is part of the target.
          .map((element) => ({ element, box: (element.matches("[type=radio], [type=checkbox]") && (element as HTMLInputElement).labels?.[0] || element.closest("label") || element).getBoundingClientRect() }))
          .filter(({ element, box }) => {
            const least = element.matches(".button, summary, input") ? smallestButton : smallest;
            return Math.min(box.width, box.height) < least - 0.5;
          })
          .map(({ element, box }) => `${box.width} × ${box.height}: ${element.outerHTML.slice(0, 120)}`);
      },
      [SMALLEST, SMALLEST_BUTTON] as const,
    );

  for (const path of await publicPages(baseURL)) {
    await open(path);
    expect(await small(), path).toEqual([]);
    await expectLargeTextFit(page, path);
  }
  await checked(demo("/barriers"));
  await expect(page.locator(".violation")).toHaveCount(3);
  expect(await small(), "a result").toEqual([]);
  await checked(demo("/nothing"));
  expect(await small(), "a failed check").toEqual([]);

  for (const path of await signedInPages(baseURL, (await joined()).cookie)) {
    await open(path);
    expect(await small(), path).toEqual([]);
    await expectLargeTextFit(page, path);
  }
  await open("/account/delete");
  await press(t("account:delete.submit"));
  await expect(page.getByRole("alert")).toBeVisible();
  expect(await small(), "a refused form").toEqual([]);
  await openMenu(page);
  expect(await small(), "the menu of somebody who is signed in").toEqual([]);
});
