import type { Page } from "@playwright/test";
import { newPerson, type Person } from "../../support/accounts/accounts";
import { startHosted, type HostedServer } from "../../support/accounts/hosted";
import { expect, openMenu, test } from "../test";

test.use({ ignoreHTTPSErrors: true });

let server: HostedServer;

test.beforeAll(async () => {
  server = await startHosted();
});

test.afterAll(() => server.stop());

/** A user with an account at the provider. */
function known(): Person {
  const person = newPerson();
  server.person({ user_id: `auth0|${person.email}`, ...person });
  return person;
}

async function signInAtProvider(page: Page, { email, password }: Person): Promise<void> {
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  expect(new URL(page.url()).host).toBe(server.provider.domain);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("the log-in link leads to the provider and back; logging out ends both sessions", async ({ page, t, open }) => {
  const person = known();
  const navigation = page.getByRole("navigation", { name: t("nav.label") });
  await open(server.origin);
  await openMenu(page);
  await navigation.getByRole("link", { name: t("nav.login") }).click();
  await signInAtProvider(page, person);
  await expect(page).toHaveURL(`${server.origin}/runs`);

  await open(`${server.origin}/profile/general`);
  await expect(page.getByRole("definition")).toHaveText([person.name, person.email, t("account:verification.done")]);
  await openMenu(page);
  await navigation.getByRole("button", { name: t("nav.logout") }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await openMenu(page);
  await navigation.getByRole("link", { name: t("nav.login") }).click();
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
});

test("the link to register opens the provider's registration form", async ({ page, t, open }) => {
  await open(server.origin);
  await openMenu(page);
  await page.getByRole("navigation").getByRole("link", { name: t("nav.register") }).click();
  await expect(page.getByRole("heading", { name: "Sign up" })).toBeVisible();
});

test("a page that requires a sign-in opens after the provider's log-in", async ({ page, t, open }) => {
  await page.goto(`${server.origin}/profile/name`);
  await signInAtProvider(page, known());
  await expect(page).toHaveURL(`${server.origin}/profile/name`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("account:name.heading"));
  await open(`${server.origin}/account/password`);
  await expect(page).toHaveURL(`${server.origin}/profile/general`);
});

test("a declined log-in is explained, and the second attempt leads to the requested page", async ({ page, t }) => {
  const person = known();
  await page.goto(`${server.origin}/setup`);
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page).toHaveURL(/\/login\?problem=denied/);
  await expect(page.getByRole("alert")).toHaveText(t("account:hosted.problem.denied"));
  await page.getByRole("link", { name: t("account:hosted.again") }).click();
  await signInAtProvider(page, person);
  await expect(page).toHaveURL(`${server.origin}/setup`);
});

test("a link back from the provider works once", async ({ page, t }) => {
  const person = known();
  await page.goto(`${server.origin}/runs`);
  const back = page.waitForRequest((request) => new URL(request.url()).pathname === "/auth/callback");
  await signInAtProvider(page, person);
  await expect(page).toHaveURL(`${server.origin}/runs`);
  await page.context().clearCookies({ name: "session" });
  await page.goto((await back).url());
  await expect(page.getByRole("alert")).toHaveText(t("account:hosted.problem.expired"));
});

test("a form sent after the session has ended is filled in again", async ({ page, context, t, open, fill, press }) => {
  const person = known();
  await page.goto(`${server.origin}/profile/name`);
  await signInAtProvider(page, person);
  await open(`${server.origin}/profile/name`);
  await fill({ name: "Grace Beispiel" });
  await context.clearCookies();
  await press(t("account:save"));
  await signInAtProvider(page, person);
  await expect(page).toHaveURL(`${server.origin}/profile/name`);
  await expect(page.getByText(t("form.kept"))).toBeVisible();
  await expect(page.getByLabel(t("account:field.name"), { exact: true })).toHaveValue("Grace Beispiel");
});

test("deleting an account requires a new sign-in at the provider, and no password of ours", async ({ page, t, open, press }) => {
  const person = known();
  await page.goto(`${server.origin}/account/delete`);
  await signInAtProvider(page, person);
  await open(`${server.origin}/account/delete`);
  await press(t("account:prove.submit"));
  await signInAtProvider(page, person);
  await open(`${server.origin}/account/delete`);
  await expect(page.getByText(t("account:delete.staysHosted"))).toBeVisible();
  await page.getByRole("checkbox").check();
  await press(t("account:delete.submit"));
  await expect(page).toHaveURL(`${server.origin}/`);
});
