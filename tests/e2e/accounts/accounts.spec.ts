import type { Page } from "@playwright/test";
import { expect, hydrated, openMenu, test, type FieldName } from "../test";
import type { Texts } from "../texts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Expects the entries of the error summary, each with a link to its field. */
async function expectRefused(page: Page, t: Texts, entries: { id: string; field: FieldName; message: string }[], scripts: boolean) {
  const summary = page.getByRole("alert");
  await expect(summary.getByRole("heading")).toHaveText(t("form.summary", { count: entries.length }));
  await expect(summary.getByRole("link")).toHaveText(entries.map(({ message }) => message));
  if (scripts) await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(`^${t("form.errorPrefix")} `));
  for (const { id, field, message } of entries) {
    const input = page.getByLabel(t(`account:field.${field}`), { exact: true });
    await expect(input).toHaveAttribute("aria-invalid", "true");
    await expect(input).toHaveAccessibleDescription(new RegExp(`^${t("form.errorPrefix")} ${message}`));
    await summary.getByRole("link", { name: message }).click();
    await expect(input).toBeFocused();
    if (!scripts) await expect(page).toHaveURL(new RegExp(`#${id}$`));
  }
}

test("a user can register, confirm the address by a mail, and sign out", { tag: "@core" }, async ({
  page,
  t,
  open,
  fill,
  press,
  person,
  mail,
  javaScriptEnabled,
}) => {
  const navigation = page.getByRole("navigation", { name: t("nav.label") });
  await open("/");
  await openMenu(page);
  await navigation.getByRole("link", { name: t("nav.register") }).click();
  await expect(heading(page)).toHaveText(t("account:register.heading"));
  await fill({ ...person });
  await press(t("account:register.submit"));

  await expect(page.getByText(t("flash.registered"))).toBeVisible();
  await expect(page).toHaveURL("/runs");
  await expect(heading(page)).toHaveText(t("runs:list.heading"));

  await openMenu(page);
  await navigation.getByRole("link", { name: t("nav.profile") }).click();
  await expect(heading(page)).toHaveText(t("account:profile.heading"));
  await expect(page.getByRole("main")).toContainText(person.name);
  await expect(page.getByText(t("account:verification.open"))).toBeVisible();
  const letter = await mail("verify");
  await page.goto(letter.link);
  if (javaScriptEnabled) await hydrated(page);
  await press(t("account:verify.confirmSubmit"));
  await expect(page).toHaveURL("/profile/general");
  await expect(page.getByText(t("flash.emailVerified"))).toBeVisible();
  await expect(page.getByText(t("account:verification.done"))).toBeVisible();

  await openMenu(page);
  await navigation.getByRole("button", { name: t("nav.logout") }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(t("flash.signedOut"))).toBeVisible();
  await page.goto("/profile/general");
  await expect(page).toHaveURL("/login?returnTo=%2Fprofile%2Fgeneral");
});

test("mails are written in the visitor's language", async ({ joined, mail, language }) => {
  await joined();
  const { subject, text } = await mail("verify");
  expect(subject).toBe(
    language === "de" ? "Bitte bestätigen Sie Ihre E-Mail-Adresse" : "Please confirm your email address",
  );
  expect(text).toContain(language === "de" ? "Der Link gilt sieben Tage." : "The link is valid for seven days.");
  expect(text).not.toMatch(/\{\{/);
});

test("the link of a mail confirms the address in another browser, and the page says what has ended", async ({ page, context, t, open, fill, press, person, joined, mail }) => {
  await joined();
  await context.clearCookies();
  await open((await mail("verify")).link);
  await expect(heading(page)).toHaveText(t("account:verify.confirmHeading"));
  await expect(page.getByRole("group", { name: t("account:verify.elsewhere.session") }).getByRole("checkbox")).toHaveCount(1);
  await press(t("account:verify.confirmSubmit"));
  const ended = { sessions: 1, tokens: 0, shares: 0, schedules: 0 };
  await expect(page.getByText(t("flash.confirmedElsewhere", ended))).toBeVisible();
  await fill({ newPassword: `${person.password} neu` });
  await press(t("account:reset.submit"));
  await expect(page.getByText(t("flash.passwordChosen"))).toBeVisible();
  await open("/profile/general");
  await expect(page.getByText(person.email).first()).toBeVisible();
  await expect(page.getByText(t("account:verification.open"))).toHaveCount(0);
});

test("a signed-out user who opens the link of a mail can sign in first, then confirm", async ({
  page,
  context,
  t,
  open,
  fill,
  press,
  person,
  joined,
  mail,
}) => {
  await joined();
  await context.clearCookies();
  await open((await mail("verify")).link);
  await page.getByRole("link", { name: t("account:verify.elsewhere.signIn") }).click();
  await fill({ email: person.email, password: person.password });
  await press(t("account:login.submit"));
  await expect(heading(page)).toHaveText(t("account:verify.confirmHeading"));
  await press(t("account:verify.confirmSubmit"));
  await expect(page.getByText(t("flash.emailVerified"))).toBeVisible();
});

test("opening the link of a mail alone confirms nothing", async ({ page, t, open, joined, mail }) => {
  await joined();
  await open((await mail("verify")).link);
  await open("/profile/general");
  await expect(page.getByText(t("account:verification.open"))).toBeVisible();
});

test("a link to confirm the address is sent again on request", async ({ page, t, open, press, joined, mail, person }) => {
  await joined();
  await open("/profile/general");
  await page.getByRole("link", { name: t("account:verification.now") }).click();
  await expect(page.getByText(t("account:verify.lead", { email: person.email }))).toBeVisible();
  await press(t("account:verify.submit"));
  await expect(heading(page)).toHaveText(t("account:verify.sentHeading"));
  await expect(page.getByText(t("account:outbox.before"))).toBeVisible();
  await open((await mail("verify", person.email, 2)).link);
  await press(t("account:verify.confirmSubmit"));
  await expect(page.getByText(t("flash.emailVerified"))).toBeVisible();
});

test("a forgotten password can be replaced by the link of a mail, once", async ({ page, context, t, open, fill, press, person, joined, mail }) => {
  await joined();
  await context.clearCookies();
  await open("/login");
  await page.getByRole("link", { name: t("account:login.forgot") }).click();
  await expect(heading(page)).toHaveText(t("account:forgot.heading"));
  await fill({ email: person.email });
  await press(t("account:forgot.submit"));
  await expect(heading(page)).toHaveText(t("account:forgot.sentHeading"));
  await expect(page.getByText(t("account:outbox.before"))).toBeVisible();

  const { link } = await mail("reset_password");
  await open(link);
  await fill({ newPassword: "etwas ganz anderes 7" });
  await press(t("account:reset.submit"));
  await expect(page).toHaveURL("/runs");
  await expect(page.getByText(t("flash.passwordReset"))).toBeVisible();

  await open(link);
  await expect(heading(page)).toHaveText(t("account:reset.goneHeading"));
  await page.getByRole("link", { name: t("account:reset.again") }).click();
  await expect(heading(page)).toHaveText(t("account:forgot.heading"));
});

test("the page for a forgotten password does not tell whether an address is known", async ({ page, t, open, fill, press, person, mail }) => {
  await open("/forgot-password");
  await fill({ email: person.email });
  await press(t("account:forgot.submit"));
  await expect(heading(page)).toHaveText(t("account:forgot.sentHeading"));
  await expect(page.getByText(t("account:forgot.sent"))).toBeVisible();
  expect((await mail("no_account")).link).toBe("/register");
});

test("after a required log-in, the user returns to the requested page", async ({ page, context, t, open, fill, press, person, joined }) => {
  await joined();
  await context.clearCookies();
  await open("/profile/email");
  await fill({ email: person.email, password: person.password });
  await press(t("account:login.submit"));
  await expect(page).toHaveURL("/profile/email");
});

test("after registering, the user gets to the requested page", async ({ page, t, open, fill, press, person }) => {
  await open("/setup");
  await page.getByRole("link", { name: t("account:login.register"), exact: true }).click();
  await fill({ ...person });
  await press(t("account:register.submit"));
  await expect(page).toHaveURL("/setup");
});

test.describe("a refused form", () => {
  test.use({ expectedStatuses: [422] });

  test("names what is missing for an account, with a link to each field", async ({ page, t, open, press, javaScriptEnabled }) => {
    await open("/register");
    await press(t("account:register.submit"));
    await expectRefused(
      page,
      t,
      [
        { id: "name", field: "name", message: t("account:problem.name_missing") },
        { id: "email", field: "email", message: t("account:problem.email_missing") },
        { id: "password", field: "password", message: t("account:problem.new_password_missing") },
      ],
      javaScriptEnabled,
    );
  });

  test("keeps name and address if the password is too weak", async ({ page, t, open, fill, press, person, javaScriptEnabled }) => {
    await open("/register");
    await fill({ ...person, password: "kurz" });
    await press(t("account:register.submit"));
    await expectRefused(page, t, [{ id: "password", field: "password", message: t("account:problem.password_short") }], javaScriptEnabled);
    await expect(page.getByLabel(t("account:field.name"), { exact: true })).toHaveValue(person.name);
    await expect(page.getByLabel(t("account:field.email"), { exact: true })).toHaveValue(person.email);
    await fill({ password: "passwort1234" });
    await press(t("account:register.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(t("account:problem.password_common"));
    await fill({ password: person.password });
    await press(t("account:register.submit"));
    await expect(page.getByText(t("flash.registered"))).toBeVisible();
  });

  test("of registration signs in an existing account, and keeps the target page if the password is wrong", async ({ page, context, t, open, fill, press, person, joined, mail }) => {
    await joined();
    await context.clearCookies();
    await open("/register?returnTo=%2Fsetup%3Fplan%3Dpro");
    await fill({ ...person, password: "das war es nicht" });
    await press(t("account:register.submit"));
    await expect(page.getByRole("alert").getByRole("link")).toHaveText(t("account:problem.known"));
    await expect(page.getByLabel(t("account:field.email"), { exact: true })).toHaveValue(person.email);
    const links = page.locator(".form-after");
    await expect(links.getByRole("link", { name: t("account:register.login") })).toHaveAttribute("href", "/login?returnTo=%2Fsetup%3Fplan%3Dpro");
    await links.getByRole("link", { name: t("account:register.reset") }).click();
    await expect(heading(page)).toHaveText(t("account:forgot.heading"));
    await fill({ email: person.email });
    await press(t("account:forgot.submit"));
    const { link } = await mail("reset_password");
    await open(link);
    await fill({ newPassword: `${person.password} neu` });
    await press(t("account:reset.submit"));
    await expect(page).toHaveURL("/setup?plan=pro");
    await context.clearCookies();
    await open("/register?returnTo=%2Fsetup%3Fplan%3Dbasic");
    await fill({ ...person, password: `${person.password} neu` });
    await press(t("account:register.submit"));
    await expect(page).toHaveURL("/setup?plan=basic");
  });

  test("does not show the success message of the step before", { tag: "@scripts" }, async ({ page, t, open, check, joined }) => {
    await joined();
    await open("/");
    await page.getByRole("navigation", { name: t("nav.label") }).getByRole("button", { name: t("nav.logout") }).click();
    const done = page.getByText(t("flash.signedOut"));
    await expect(done).toBeVisible();
    await check("kein Ort");
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(done).toBeHidden();
  });

  test("keeps the address when the password is wrong", async ({ page, context, t, open, fill, press, person, joined, javaScriptEnabled }) => {
    await joined();
    await context.clearCookies();
    await open("/login?returnTo=%2Fsetup");
    await fill({ email: person.email, password: "das war es nicht" });
    await press(t("account:login.submit"));
    await expectRefused(page, t, [{ id: "email", field: "email", message: t("account:problem.sign_in") }], javaScriptEnabled);
    await expect(page.getByLabel(t("account:field.email"), { exact: true })).toHaveValue(person.email);
    await fill({ password: person.password });
    await press(t("account:login.submit"));
    await expect(page).toHaveURL("/setup");
  });

  test("does not send a password back", async ({ page, t, open, fill, press }) => {
    await open("/login");
    await fill({ email: "niemand@example.org", password: "geheim und lang genug" });
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await press(t("account:login.submit"));
    expect(await (await answered).text()).not.toContain("geheim und lang genug");
  });

  test("says that a link was already used", async ({ page, t, open, press, joined }) => {
    await joined();
    await open("/account/verify?token=AAAAAAAAAAAAAAAAAAAAAA");
    await press(t("account:verify.confirmSubmit"));
    await expect(page.getByRole("alert")).toContainText(t("account:verify.problem.gone"));
    await expect(page.getByRole("main").getByRole("button", { name: t("account:verify.submit") })).toBeVisible();
  });
});

test("password managers and browsers know what to fill in", async ({ page, open, joined }) => {
  const expectFields = async (address: string, expected: Record<string, string>) => {
    await open(address);
    const found = await page
      .locator("main form.form input:not([type=hidden])")
      .evaluateAll((inputs) => inputs.map((input) => [input.id, input.getAttribute("autocomplete") ?? ""]));
    expect(Object.fromEntries(found as [string, string][]), address).toEqual(expected);
  };
  await expectFields("/register", { name: "name", email: "email", password: "new-password" });
  await expectFields("/login", { email: "username", password: "current-password" });
  await expectFields("/forgot-password", { email: "username" });
  await joined();
  await expectFields("/profile/name", { name: "name" });
  await expectFields("/profile/email", { email: "email", currentPassword: "current-password" });
  await expectFields("/account/password", { currentPassword: "current-password", newPassword: "new-password" });
});

test("a password is shown on request", { tag: "@scripts" }, async ({ page, t, open, fill }) => {
  await open("/login");
  await fill({ password: "ein langer Satz" });
  const field = page.getByLabel(t("account:field.password"), { exact: true });
  const toggle = page.getByRole("button", { name: t("form.showPassword") });
  await expect(toggle).toHaveAccessibleName(new RegExp(t("account:field.password")));
  await expect(field).toHaveAttribute("type", "password");
  await toggle.click();
  await expect(field).toHaveAttribute("type", "text");
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await expect(field).toHaveValue("ein langer Satz");
  await toggle.click();
  await expect(field).toHaveAttribute("type", "password");
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
});

test("a form's button does not move when scripts add the one that shows the password", { tag: "@scripts" }, async ({ page, t }) => {
  const submit = page.getByRole("button", { name: t("account:login.submit"), exact: true });
  const toggle = page.getByRole("button", { name: t("form.showPassword") });
  let load = () => {};
  const loading = new Promise<void>((resolve) => (load = resolve));
  await page.route("**/assets/*.js", (route) => loading.then(() => route.continue()));
  await page.goto("/login", { waitUntil: "commit" });
  await expect(submit).toHaveCSS("font-weight", "700");
  await page.evaluate(() => document.fonts.ready);
  const before = await submit.boundingBox();
  await expect(toggle).toBeHidden();
  load();
  await expect(toggle).toBeVisible();
  expect(await submit.boundingBox()).toEqual(before);
});

test("without scripts there is no button to show a password", { tag: "@plain" }, async ({ page, t, open }) => {
  await open("/login");
  await expect(page.getByRole("main").getByRole("button")).toHaveText([t("account:login.submit")]);
});

test("a password can be pasted", async ({ page, t, open, fill }) => {
  await open("/register");
  await fill({ name: "aus dem Passwortspeicher" });
  await page.getByLabel(t("account:field.name"), { exact: true }).selectText();
  await page.keyboard.press("ControlOrMeta+C");
  const password = page.getByLabel(t("account:field.password"), { exact: true });
  await password.focus();
  await page.keyboard.press("ControlOrMeta+V");
  await expect(password).toHaveValue("aus dem Passwortspeicher");
});
