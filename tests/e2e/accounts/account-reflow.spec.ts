import { makeAdministrator, newPersonWithLongNames } from "../../support/accounts/accounts";
import { ADMINISTRATION_PAGES, signedInPages } from "../../support/browser/own-pages";
import { fillIn } from "../../support/browser/route-paths";
import { withDatabase } from "../../support/database/server-database";
import { expectFit } from "../overflow";
import { dataDir, expect, openMenu, test } from "../test";

// oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
test.use({ viewport: { width: 1280, height: 800 }, expectedStatuses: [422], person: ({}, use) => use(newPersonWithLongNames()) });

test("pages of an account do not scroll sideways, also with spaced text and long names", async ({ page, t, baseURL, open, joined }) => {
  for (const path of await signedInPages(baseURL, (await joined()).cookie)) {
    await open(path);
    await expectFit(page, path);
  }
  await open("/account/verify?token=AAAAAAAAAAAAAAAAAAAAAA");
  await expectFit(page, "a link from a mail");
  await open("/");
  await page.setViewportSize({ width: 320, height: 568 });
  await openMenu(page);
  await expect(page.getByRole("navigation", { name: t("nav.label") })).toBeVisible();
  await expectFit(page, "the menu of a signed-in user");
});

test("pages of the administration do not scroll sideways, also with long names", async ({ page, baseURL, open, joined }) => {
  const { id, cookie } = await joined();
  await withDatabase({ dataDir: dataDir() }, (db) => makeAdministrator(db, id));
  const paths = (await signedInPages(baseURL, cookie)).filter((path) => path.startsWith("/admin"));
  expect(paths).toContain("/admin/people");
  for (const path of [...paths, ...ADMINISTRATION_PAGES.map((pattern) => fillIn(pattern, { id }))]) {
    await open(path);
    await expectFit(page, path);
  }
});

test("refused forms of an account do not scroll sideways", async ({ page, t, open, press, joined }) => {
  const refused = async (path: string, button: string) => {
    await open(path);
    await press(button);
    await expect(page.getByRole("alert")).toBeVisible();
    await expectFit(page, `${path} refused`);
  };
  await refused("/login", t("account:login.submit"));
  await refused("/register", t("account:register.submit"));
  await refused("/forgot-password", t("account:forgot.submit"));
  await joined();
  await refused("/profile/email", t("account:email.submit"));
  await refused("/account/password", t("account:password.submit"));
  await refused("/account/delete", t("account:delete.submit"));
  await refused("/account/verify?token=AAAAAAAAAAAAAAAAAAAAAA", t("account:verify.confirmSubmit"));
});

test("the pages about a sent mail do not scroll sideways", async ({ page, t, open, fill, press, joined, person }) => {
  await open("/forgot-password?sent");
  await expectFit(page, "after asking for a password");
  await joined();
  await open("/account/verify?sent");
  await expectFit(page, "after asking for a confirmation");
  await open("/profile/email?sent");
  await expectFit(page, "after asking for another address");
  await open("/profile/name");
  await fill({ name: person.name });
  await press(t("account:save"));
  await expect(page.locator(".flash")).toBeVisible();
  await expectFit(page, "after a change");
});
