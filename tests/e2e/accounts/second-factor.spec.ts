import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { freePort } from "../../support/servers/free-port";
import { confirmAddress, newMember, type Person } from "../../support/accounts/accounts";
import { beginSetUp, codeOf, OVERVIEW } from "../../support/accounts/second-factor";
import { startServer, type TestServer } from "../../support/servers/server";
import { expectFit } from "../overflow";
import { expect, test } from "../test";

test.use({ expectedStatuses: [422] });

let server: TestServer;

test.beforeAll(async () => {
  // Passkeys belong to a host name, not to an IP address.
  const port = String(await freePort());
  server = await startServer({ browser: false, env: { PORT: port, HOST: "localhost", BASE_URL: `http://localhost:${port}`, BILLING: "off", TRUST_PROXY: "1" } });
});

test.afterAll(() => server.stop());

/** Virtual device that creates and uses passkeys without questions. */
async function withPasskeys(page: Page): Promise<CDPSession> {
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } as const;
  await devices.send("WebAuthn.addVirtualAuthenticator", { options });
  return devices;
}

/** User with a confirmed address, signed in here. */
async function signedInHere(context: BrowserContext, language: "de" | "en"): Promise<{ person: Person; secret: string }> {
  const member = await newMember(server, { language });
  await confirmAddress(member, server);
  const secret = await beginSetUp(member);
  const cookies = [...member.cookies].map(([name, value]) => ({ name, value, url: server.origin }));
  await context.addCookies(cookies);
  return { person: member.person, secret };
}

async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await page.locator("main form.form button[type=submit]").click();
}

test("an app is connected, and the next log-in asks for its code", async ({ page, context, t, open, press, language }) => {
  const { person, secret } = await signedInHere(context, language);
  await open(`${server.origin}${OVERVIEW}/app`);
  await expectFit(page, "the secret for an app");
  // Opened again: `expectFit` has changed the text.
  await open(`${server.origin}${OVERVIEW}/app`);
  await expect(page.getByRole("img", { name: t("factors:app.picture") })).toBeVisible();
  await page.getByLabel(t("factors:field.code"), { exact: true }).fill("000000");
  await press(t("factors:app.submit"));
  await expect(page.getByRole("alert")).toContainText(t("factors:formProblem.code_wrong"));
  await page.getByLabel(t("factors:field.code"), { exact: true }).fill(codeOf(secret));
  await press(t("factors:app.submit"));
  await expect(page.locator(".recovery-codes code")).toHaveCount(10);
  await expectFit(page, "recovery codes");

  await context.clearCookies();
  await open(`${server.origin}/profile/name`);
  await logIn(page, person);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("factors:signIn.heading"));
  await expectFit(page, "the second step");
  await page.getByLabel(t("factors:field.code"), { exact: true }).fill(codeOf(secret, 1));
  await press(t("factors:signIn.submit"));
  await expect(page).toHaveURL(`${server.origin}/profile/name`);
});

test("a passkey is added, confirms a log-in, and turns two-factor log-in off @scripts", async ({ page, context, t, open, press, language }) => {
  const { person } = await signedInHere(context, language);
  await withPasskeys(page);
  await open(`${server.origin}${OVERVIEW}/passkeys`);
  await page.getByLabel(t("factors:passkeys.name")).fill("Mein Gerät");
  await press(t("factors:passkeys.add"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("factors:codes.newHeading"));
  await open(`${server.origin}${OVERVIEW}/passkeys`);
  await expect(page.getByText("Mein Gerät", { exact: true })).toBeVisible();
  await press(t("factors:passkeys.add"));
  await expect(page.getByRole("status").filter({ hasText: t("factors:passkeys.notAdded") }), "this device has one").toBeVisible();

  await context.clearCookies();
  await open(`${server.origin}/profile/name`);
  await logIn(page, person);
  await press(t("factors:passkeys.use"));
  await expect(page).toHaveURL(`${server.origin}/profile/name`);

  await open(`${server.origin}${OVERVIEW}/off`);
  await press(t("factors:passkeys.use"));
  await expect(page).toHaveURL(`${server.origin}${OVERVIEW}`);
  await expect(page.getByText(t("flash.secondFactorOff"))).toBeVisible();
});

test("without the device, a passkey is not asked for in vain: a recovery code does as well @scripts", async ({ page, context, t, open, press, language }) => {
  const { person } = await signedInHere(context, language);
  const devices = await withPasskeys(page);
  await open(`${server.origin}${OVERVIEW}/passkeys`);
  await press(t("factors:passkeys.add"));
  const code = await page.locator(".recovery-codes code").first().textContent();
  await devices.send("WebAuthn.disable");
  await context.clearCookies();
  await open(`${server.origin}/profile/name`);
  await logIn(page, person);
  await page.getByLabel(t("factors:field.recoveryCode"), { exact: true }).fill(code ?? "");
  await press(t("factors:signIn.submit"));
  await expect(page).toHaveURL(`${server.origin}/profile/name`);
});
