import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expectFit } from "../overflow";
import { expect, openMenu, test } from "../test";

const NEW_PASSWORD = "ein ganz anderer Satz 9";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const flash = (page: Page) => page.locator(".flash");

/** Another signed-in device of the visitor. */
async function deviceWith(browser: Browser, cookie: string, url: string): Promise<BrowserContext> {
  const device = await browser.newContext();
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  await device.addCookies([{ name, value, url }]);
  return device;
}

/** Final page of a device when it requests one that requires a sign-in. */
async function landing(device: BrowserContext, url: string): Promise<string> {
  const answer = await device.request.get(new URL("/account/sessions", url).href);
  return new URL(answer.url()).pathname;
}

test("the navigation of a signed-in user leads to the pages of the account", async ({ page, t, open, joined }) => {
  const navigation = page.getByRole("navigation", { name: t("nav.label") });
  await joined();
  await open("/");
  await openMenu(page);
  await expect(navigation.getByRole("link")).toHaveText([t("nav.websites"), t("nav.runs"), t("nav.profile")]);
  await expect(navigation.getByRole("button")).toHaveText([t("nav.logout")]);
  await navigation.getByRole("link", { name: t("nav.runs") }).click();
  await expect(heading(page)).toHaveText(t("runs:list.heading"));
  await openMenu(page);
  await expect(navigation.getByRole("link", { name: t("nav.runs") })).toHaveAttribute("aria-current", "page");
  await page.goto("/login");
  await expect(page).toHaveURL("/runs");
});

test("a signed-out user is asked to sign in again, also after going back", async ({ page, t, open, press, joined }) => {
  await joined();
  await open("/profile/general");
  await press(t("nav.logout"));
  await expect(flash(page)).toHaveText(t("flash.signedOut"));
  await page.goBack();
  await expect(heading(page)).toHaveText(t("account:login.heading"));
});

test("a message about a finished action is shown once", async ({ page, t, open, fill, press, joined }) => {
  await joined();
  await open("/profile/name");
  await fill({ name: "Grace Beispiel" });
  await press(t("account:save"));
  await expect(flash(page)).toHaveText(t("flash.nameChanged"));
  await page.goto("/profile/email");
  await expect(heading(page)).toHaveText(t("account:email.heading"));
  await expect(flash(page)).toHaveCount(0);
});

test("a name is changed", async ({ page, t, open, fill, press, asked, joined, person }) => {
  await joined();
  await open("/profile/general");
  await page.getByRole("link", { name: t("account:name.title") }).click();
  await asked(t("account:name.heading"));
  await expect(page.getByLabel(t("account:field.name"), { exact: true })).toHaveValue(person.name);
  await fill({ name: "Grace Beispiel" });
  await press(t("account:save"));
  await expect(page).toHaveURL("/profile/general");
  await expect(page.getByRole("definition").first()).toHaveText("Grace Beispiel");
});

test.describe("a form that opens in a dialog", { tag: "@scripts" }, () => {
  test.use({ expectedStatuses: [422] });

  test("makes the rest of the page inert, and returns the focus when it closes", async ({ page, context, t, open, fill, press, joined, person }) => {
    await joined();
    await open("/profile/general");
    const opener = page.getByRole("link", { name: t("account:email.title") });
    const dialog = page.getByRole("dialog", { name: t("account:email.heading"), exact: true });

    for (const close of [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: t("dialog.close") }).click(),
      () => dialog.getByRole("link", { name: t("account:cancel") }).click(),
    ]) {
      await opener.press("Enter");
      await expect(dialog.getByRole("heading")).toBeFocused();
      await page.keyboard.press("Tab");
      await expect(page.getByLabel(t("account:field.newEmail"), { exact: true })).toBeFocused();
      for (let step = 0; step < 8; step++) {
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement?.closest("dialog")))).toBe(true);
      }
      await close();
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
      await expect(page).toHaveURL("/profile/general");
    }

    await opener.click();
    await fill({ newEmail: `neu-${person.email}`, currentPassword: "das war es nicht" });
    await press(t("account:email.submit"));
    await expect(dialog.getByRole("alert")).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${t("form.titlePrefix", { title: "" })}`));
    await dialog.getByRole("alert").getByRole("link", { name: t("account:problem.password_wrong") }).click();
    await expect(page.getByLabel(t("account:field.currentPassword"), { exact: true })).toBeFocused();
    await expect(page.getByLabel(t("account:field.newEmail"), { exact: true })).toHaveValue(`neu-${person.email}`);
    await fill({ currentPassword: person.password });
    await press(t("account:email.submit"));
    await expect(page).toHaveURL("/profile/email?sent");
    await expect(heading(page)).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL("/profile/general");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    const tab = context.waitForEvent("page");
    await opener.click({ modifiers: ["ControlOrMeta"] });
    await expect(await tab).toHaveURL("/profile/email");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("fits on 320 px, also with error messages", async ({ page, t, open, press, joined }) => {
    await joined();
    await open("/profile/general");
    await page.setViewportSize({ width: 320, height: 200 });
    await page.getByRole("link", { name: t("account:email.title") }).click();
    await press(t("account:email.submit"));
    await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    await expectFit(page, "a refused form in a dialog");
  });
});

test("an e-mail address changes when the new one is confirmed, and the old one gets a mail", async ({
  page,
  t,
  open,
  fill,
  press,
  asked,
  joined,
  person,
  mail,
}) => {
  const address = () => page.getByRole("definition").nth(1);
  const newEmail = `neu-${person.email}`;
  await joined();
  await open("/profile/general");
  await page.getByRole("link", { name: t("account:email.title") }).click();
  await asked(t("account:email.heading"));
  await fill({ newEmail, currentPassword: person.password });
  await press(t("account:email.submit"));
  await expect(heading(page)).toHaveText(t("account:email.sentHeading"));
  await expect(page.getByText(t("account:outbox.before"))).toBeVisible();
  await page.getByRole("link", { name: t("account:email.back") }).click();
  await expect(address()).toHaveText(person.email);
  expect((await mail("email_change_requested")).text).toContain(newEmail);

  await open((await mail("change_email", newEmail)).link);
  await press(t("account:verify.confirmSubmit"));
  await expect(flash(page)).toHaveText(t("flash.emailChanged"));
  await expect(address()).toHaveText(newEmail);
  await expect(page.getByText(t("account:verification.done"))).toBeVisible();
  expect((await mail("email_changed")).text).toContain(newEmail);
});

test("a changed password ends the sessions on all other devices", async ({
  page,
  browser,
  baseURL,
  t,
  open,
  fill,
  press,
  joined,
  elsewhere,
  person,
  mail,
}) => {
  await joined();
  const other = await deviceWith(browser, (await elsewhere()).cookie, baseURL);
  expect(await landing(other, baseURL)).toBe("/account/sessions");
  await open("/account/password");
  await fill({ currentPassword: person.password, newPassword: NEW_PASSWORD });
  await press(t("account:password.submit"));
  await expect(page).toHaveURL("/profile/general");
  await expect(flash(page)).toHaveText(t("flash.passwordChanged"));
  expect(await landing(other, baseURL)).toBe("/login");
  await mail("password_changed");

  await press(t("nav.logout"));
  await expect(flash(page)).toHaveText(t("flash.signedOut"));
  await open("/login");
  await fill({ email: person.email, password: NEW_PASSWORD });
  await press(t("account:login.submit"));
  await expect(page).toHaveURL("/runs");
  await other.close();
});

test("the devices of a user are listed, and one of them can be signed out", async ({
  page,
  browser,
  baseURL,
  t,
  open,
  joined,
  elsewhere,
}) => {
  await joined();
  const other = await deviceWith(browser, (await elsewhere()).cookie, baseURL);
  await open("/account/sessions");
  const devices = page.locator(".session-list > li");
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: t("account:sessions.current") })).toHaveCount(1);
  await devices.getByRole("button").click();
  await expect(flash(page)).toHaveText(t("flash.sessionEnded"));
  await expect(devices).toHaveCount(1);
  expect(await landing(other, baseURL)).toBe("/login");
  await other.close();
});

test("a user can sign out on all devices at once", async ({ page, browser, baseURL, t, open, press, joined, elsewhere }) => {
  await joined();
  const other = await deviceWith(browser, (await elsewhere()).cookie, baseURL);
  await open("/account/sessions");
  await press(t("account:sessions.endAll"));
  await expect(page).toHaveURL("/");
  await expect(flash(page)).toHaveText(t("flash.signedOutEverywhere"));
  expect(await landing(other, baseURL)).toBe("/login");
  expect(await landing(page.context(), baseURL)).toBe("/login");
  await other.close();
});

test("a user can download all stored data; it contains nothing that opens the account", async ({
  page,
  t,
  open,
  joined,
  person,
}) => {
  const { cookie } = await joined();
  await open("/profile/general");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: t("account:export.link") }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("rampe-account.json");
  const content = readFileSync(await file.path(), "utf8");
  expect(content).toContain(person.email);
  expect(content).not.toMatch(/scrypt|passwordHash/);
  expect(content).not.toContain(cookie.split("=")[1]);
});

test.describe("a form sent after the session has ended", () => {
  test("is filled in again after signing in", { tag: "@core" }, async ({ page, context, t, open, fill, press, joined, person }) => {
    await joined();
    await open("/profile/name");
    await fill({ name: "Grace Beispiel-Überlang" });
    await context.clearCookies();
    await press(t("account:save"));
    await expect(page).toHaveURL("/login?returnTo=%2Fprofile%2Fname");
    await fill({ email: person.email, password: person.password });
    await press(t("account:login.submit"));

    await expect(page).toHaveURL("/profile/name");
    await expect(page.getByText(t("form.kept"))).toBeVisible();
    await expect(page.getByLabel(t("account:field.name"), { exact: true })).toHaveValue("Grace Beispiel-Überlang");
    await press(t("account:save"));
    await expect(page.getByRole("definition").first()).toHaveText("Grace Beispiel-Überlang");
  });

  test("is kept without passwords, also if the session was ended on another device", async ({
    page,
    context,
    t,
    open,
    fill,
    press,
    joined,
    person,
  }) => {
    await joined();
    await open("/profile/email");
    await fill({ newEmail: `neu-${person.email}`, currentPassword: person.password });
    const ended = await context.request.post("/account/sessions", { form: { session: "everywhere" } });
    expect(ended.ok()).toBe(true);
    await press(t("account:email.submit"));
    await expect(heading(page)).toHaveText(t("account:login.heading"));
    await fill({ email: person.email, password: person.password });
    await press(t("account:login.submit"));
    await expect(page).toHaveURL("/profile/email");
    await expect(page.getByLabel(t("account:field.newEmail"), { exact: true })).toHaveValue(`neu-${person.email}`);
    await expect(page.getByLabel(t("account:field.currentPassword"), { exact: true })).toHaveValue("");
  });
});

test.describe("a refused change", () => {
  test.use({ expectedStatuses: [422] });

  test("of the address keeps the typed address, and names the wrong password", async ({ page, t, open, fill, press, joined, person }) => {
    await joined();
    await open("/profile/email");
    await fill({ newEmail: `neu-${person.email}`, currentPassword: "das war es nicht" });
    await press(t("account:email.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(t("account:problem.password_wrong"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveAttribute("href", "#currentPassword");
    await expect(page.getByLabel(t("account:field.newEmail"), { exact: true })).toHaveValue(`neu-${person.email}`);
  });

  test("of the password has a message for each wrong password", async ({ page, t, open, fill, press, joined }) => {
    await joined();
    await open("/account/password");
    await expect(page.locator("input[type=hidden][readonly]"), "a hidden field cannot be read-only").toHaveCount(0);
    await fill({ newPassword: "kurz" });
    await press(t("account:password.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([
      t("account:problem.password_missing"),
      t("account:problem.password_short"),
    ]);
    await fill({ currentPassword: "das war es nicht", newPassword: NEW_PASSWORD });
    await press(t("account:password.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([t("account:problem.password_wrong")]);
  });

  test("of an account that is to be deleted asks for a confirmation; with it, the account is deleted", async ({
    page,
    t,
    open,
    fill,
    press,
    joined,
    person,
    mail,
  }) => {
    await joined();
    await open("/setup");
    await page.getByRole("link", { name: t("account:delete.title") }).click();
    await expect(heading(page)).toHaveText(t("account:delete.heading"));
    await fill({ currentPassword: person.password });
    await press(t("account:delete.submit"));
    const message = page.getByRole("alert").getByRole("link");
    await expect(message).toHaveText(t("account:problem.not_confirmed"));
    await message.click();
    await expect(page.getByRole("checkbox")).toBeFocused();

    await page.getByRole("checkbox").check();
    await fill({ currentPassword: "das war es nicht" });
    await press(t("account:delete.submit"));
    await expect(message).toHaveText(t("account:problem.password_wrong"));

    await page.getByRole("checkbox").check();
    await fill({ currentPassword: person.password });
    await press(t("account:delete.submit"));
    await expect(page).toHaveURL("/");
    await expect(flash(page)).toHaveText(t("flash.accountDeleted"));
    await mail("account_deleted");

    await open("/login");
    await fill({ email: person.email, password: person.password });
    await press(t("account:login.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(t("account:problem.sign_in"));
  });
});
