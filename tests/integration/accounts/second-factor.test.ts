import { afterAll, beforeAll, describe, expect, test } from "vitest";
import account from "locales/en/account.json";
import factors from "locales/en/factors.json";
import common from "locales/en/common.json";
import { createAuthenticator } from "../../support/accounts/authenticator";
import { confirmAddress, newMember, newToken, signIn, visitorOf } from "../../support/accounts/accounts";
import type { FormBrowser } from "../../support/browser/form-browser";
import { mailsTo, mailTo } from "../../support/servers/outbox";
import { adminCommand } from "../../support/servers/run-admin";
import { beginSetUp, codeOf, newTwoFactorMember, OVERVIEW, recoveryCodesIn, type TwoFactorMember } from "../../support/accounts/second-factor";
import { startServer, type TestServer } from "../../support/servers/server";

const SECOND_STEP = "/login/second-factor";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ browser: false, env: { BILLING: "off", TRUST_PROXY: "1" } });
});
afterAll(() => server.stop());

const visitor = () => visitorOf(server, { language: "en" });
const twoFactorMember = () => newTwoFactorMember(server, { language: "en" });
const isIn = async (browser: FormBrowser) => (await browser.get("/profile/general")).status === 200;

/** Browser after the password step. */
async function afterPassword({ person }: Pick<TwoFactorMember, "person">, returnTo?: string): Promise<FormBrowser> {
  const browser = visitor();
  const { status, location } = await signIn(browser, person, returnTo);
  expect([status, location?.split("?")[0]]).toEqual([303, SECOND_STEP]);
  return browser;
}

describe("setting it up", () => {
  test("wants a confirmed address, then shows the secret as picture and text, and is on with a code of the app", async () => {
    const member = await newMember(server, { language: "en" });
    expect((await member.open(OVERVIEW)).words).toContain(factors.overview.unconfirmed);
    expect((await member.post(OVERVIEW)).location).toBe("/account/verify");
    await confirmAddress(member, server);
    const secret = await beginSetUp(member);
    const page = await member.open(`${OVERVIEW}/app`);
    expect(page.text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="[^"]+"/);
    expect(page.text).toContain(`secret=${secret}`);
    expect(page.text).toMatch(/<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"|<input[^>]*autoComplete="one-time-code"[^>]*inputMode="numeric"/i);

    const wrong = await member.submit(`${OVERVIEW}/app`, { code: "000000" });
    expect([wrong.status, wrong.words.includes(factors.formProblem.code_wrong), wrong.text.includes(`secret=${secret}`)]).toEqual([422, true, true]);
    expect((await member.submit(`${OVERVIEW}/app`, { code: " " })).words).toContain(factors.formProblem.code_missing);
    const code = codeOf(secret).replace(/(...)/, "$1 ");
    expect((await member.post(`${OVERVIEW}/app`, { code })).location).toBe(`${OVERVIEW}/recovery-codes`);
    // Double click.
    const done = await member.submit(`${OVERVIEW}/app`, { code });
    expect([done.status, done.words.includes(common.flash.secondFactorOn)]).toEqual([200, true]);
    expect(recoveryCodesIn(done.text)).toHaveLength(10);
    expect(recoveryCodesIn((await member.open(done.url)).text), "shown once").toEqual([]);
    expect((await member.open(OVERVIEW)).words).toContain("10 recovery codes");
    expect((await mailTo(server.dataDir, member.person.email, "second_factor_on")).text).toContain("/contact");
  });

  test("says that nothing was done if the session had ended", async () => {
    const member = await twoFactorMember();
    const db = await server.database();
    await db.deleteFrom("session").where("user_id", "=", member.id).execute();
    const login = await member.submit(`${OVERVIEW}/off`, { code: codeOf(member.secret) });
    const returnTo = login.url.searchParams.get("returnTo") ?? "";
    expect([login.url.pathname, returnTo]).toEqual(["/login", `${OVERVIEW}/off`]);
    const { location } = await signIn(member, member.person, returnTo);
    const page = await member.submit(location ?? "", { code: codeOf(member.secret, 1), returnTo });
    expect([page.url.pathname, page.words.includes(common.form.keptNothing)]).toEqual([returnTo, true]);
    expect((await member.open(`${OVERVIEW}/off`)).words).not.toContain(common.form.keptNothing);
  });

  test("wants the password if the last sign-in is long ago", async () => {
    const member = await newMember(server, { language: "en" });
    await confirmAddress(member, server);
    const db = await server.database();
    await db.updateTable("session").set({ created_at: Date.now() - 660_000 }).where("user_id", "=", member.id).execute();
    expect((await member.open(OVERVIEW)).text).toContain('name="currentPassword"');
    expect((await member.submit(OVERVIEW)).words).toContain(factors.formProblem.password_missing);
    const wrong = await member.submit(OVERVIEW, { currentPassword: "not this one" });
    expect([wrong.status, wrong.words.includes(factors.formProblem.password_wrong)]).toEqual([422, true]);
    expect((await member.post(OVERVIEW, { currentPassword: member.person.password })).location).toBe(`${OVERVIEW}/app`);
  });
});

describe("signing in", () => {
  test("asks for a code after the password, and then leads to the page that was wanted", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member, "/profile/name?x=1");
    expect(await isIn(browser)).toBe(false);
    const form = await browser.open(`${SECOND_STEP}?returnTo=${encodeURIComponent("/profile/name?x=1")}`);
    expect(form.words).toContain(factors.signIn.lead.app);
    const wrong = await browser.submit(SECOND_STEP, { code: "000000", returnTo: "/profile/name?x=1" });
    expect([wrong.status, wrong.words.includes(factors.formProblem.code_wrong), await isIn(browser)]).toEqual([422, true, false]);
    const page = await browser.submit(SECOND_STEP, { code: codeOf(member.secret, 1), returnTo: "/profile/name?x=1" });
    expect([page.status, page.url.href]).toEqual([200, `${server.origin}/profile/name?x=1`]);
  });

  test("accepts no code twice", async () => {
    const member = await twoFactorMember();
    const code = codeOf(member.secret, 1);
    const [first, second] = [await afterPassword(member), await afterPassword(member)];
    expect((await first.post(SECOND_STEP, { code })).status).toBe(303);
    expect((await second.post(SECOND_STEP, { code })).status).toBe(422);
    expect([await isIn(first), await isIn(second)]).toEqual([true, false]);
  });

  test("accepts a recovery code once, tells the person, and shows how many are left", async () => {
    const member = await twoFactorMember();
    const code = member.recoveryCodes[0] ?? "";
    const browser = await afterPassword(member);
    expect((await browser.open(`${SECOND_STEP}?with=recovery`)).words).toContain(factors.field.recoveryCode);
    expect((await browser.post(SECOND_STEP, { code: code.toUpperCase() })).status).toBe(303);
    expect((await browser.open(OVERVIEW)).words).toContain("9 recovery codes");
    expect((await mailTo(server.dataDir, member.person.email, "recovery_code_used")).text).toContain("9");
    const again = await afterPassword(member);
    const refused = await again.submit(SECOND_STEP, { code });
    expect([refused.status, refused.words.includes(factors.formProblem.recovery_code_wrong)]).toEqual([422, true]);
  });

  test("stops guessing for the account in all browsers, while recovery codes still work", async () => {
    const member = await twoFactorMember();
    const guesses = Array.from({ length: 5 }, (_, index) => String(100_000 + index));
    const browser = await afterPassword(member);
    for (const code of guesses) expect((await browser.post(SECOND_STEP, { code })).status).toBe(422);
    const other = await afterPassword(member);
    const blocked = await other.post(SECOND_STEP, { code: codeOf(member.secret, 1) });
    expect([blocked.status, Number(blocked.headers.get("retry-after")) > 600, await isIn(other)]).toEqual([429, true, false]);
    expect((await other.post(SECOND_STEP, { code: member.recoveryCodes[0] ?? "" })).status).toBe(303);
  });

  test("begins again when the second step takes longer than ten minutes, and says so", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member);
    const db = await server.database();
    await db.updateTable("pending_sign_in").set({ expires_at: Date.now() - 1 }).where("user_id", "=", member.id).execute();
    expect((await browser.open(SECOND_STEP)).url.pathname).toBe("/login");
    const page = await browser.submit(SECOND_STEP, { code: codeOf(member.secret, 1), returnTo: "/profile/name" });
    expect([page.url.pathname, page.url.searchParams.get("returnTo"), page.words.includes(account.hosted.problem.expired)]).toEqual(["/login", "/profile/name", true]);
    expect(await isIn(browser)).toBe(false);
  });

  test("keeps its session after a second click", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member);
    const before = new Map(browser.cookies);
    const form = { code: codeOf(member.secret, 1), returnTo: "/profile/name" };
    expect((await browser.post(SECOND_STEP, form)).location).toBe("/profile/name");
    // The second click has the cookies of the page.
    const clicked = visitor();
    for (const [name, value] of before) clicked.cookies.set(name, value);
    expect((await clicked.post(SECOND_STEP, form)).location).toBe("/login?problem=expired&returnTo=%2Fprofile%2Fname");
    for (const [name, value] of clicked.cookies) if (before.get(name) !== value) browser.cookies.set(name, value);
    expect(await isIn(browser)).toBe(true);
    expect((await browser.get("/login?problem=expired&returnTo=%2Fprofile%2Fname")).location).toBe("/profile/name");
  });

  test("in one browser does not help another one, nor does a changed cookie", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member);
    const stranger = visitor();
    const cookie = browser.cookies.get("second-step") ?? "";
    stranger.cookies.set("second-step", `x${cookie}`);
    expect((await stranger.post(SECOND_STEP, { code: codeOf(member.secret, 1) })).location).toBe("/login?problem=expired");
    expect(await isIn(stranger)).toBe(false);
  });

  test("under way ends with a new password, which still wants the second factor", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member);
    await visitor().post("/forgot-password", { email: member.person.email });
    const { token } = await mailTo(server.dataDir, member.person.email, "reset_password");
    const reset = visitor();
    const answer = await reset.post("/reset-password", { token, password: "a completely different sentence" });
    expect([answer.status, answer.location]).toEqual([303, SECOND_STEP]);
    expect(await isIn(reset)).toBe(false);
    expect((await browser.post(SECOND_STEP, { code: codeOf(member.secret, 1) })).location).toBe("/login?problem=expired");
    expect((await reset.post(SECOND_STEP, { code: codeOf(member.secret, 1) })).status).toBe(303);
    expect(await isIn(reset)).toBe(true);
  });

  test("by the form for new accounts asks for the second factor, too", async () => {
    const { person } = await twoFactorMember();
    const browser = visitor();
    expect((await browser.post("/register", { ...person })).location).toBe(SECOND_STEP);
    expect(await isIn(browser)).toBe(false);
  });

  test("from a new browser is told by mail only after the second step", async () => {
    const member = await twoFactorMember();
    const browser = await afterPassword(member);
    await browser.post(SECOND_STEP, { code: "000000" });
    const told = () => mailsTo(server.dataDir, member.person.email).filter(({ text }) => text.includes("/account/sessions")).length;
    expect(told()).toBe(0);
    await browser.post(SECOND_STEP, { code: codeOf(member.secret, 1) });
    await mailTo(server.dataDir, member.person.email, "signed_in");
  });

  test("is not needed by a program with an access token", async () => {
    const member = await twoFactorMember();
    const token = await newToken(member, { "runs:read": "yes" });
    const answer = await visitor().get("/api/v1/runs", { Authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
  });
});

describe("a passkey", () => {
  const PASSKEYS = `${OVERVIEW}/passkeys`;
  /** `BASE_URL` of a server that chooses its own port. */
  const BASE_URL = "http://localhost:0";

  async function challengeFor(browser: FormBrowser, purpose: "add" | "use"): Promise<string> {
    const { status, text } = await browser.post("/account/passkey-options", { purpose });
    return status === 200 ? (JSON.parse(text) as { challenge: string }).challenge : `status ${status}`;
  }

  async function withPasskey() {
    const member = await newMember(server, { language: "en" });
    await confirmAddress(member, server);
    const authenticator = createAuthenticator(BASE_URL);
    const page = await member.submit(PASSKEYS, { name: "Work phone", passkey: authenticator.create(await challengeFor(member, "add")) });
    return { member, authenticator, recoveryCodes: recoveryCodesIn(page.text) };
  }

  test("turns two-factor sign-in on, with recovery codes, and confirms a sign-in", async () => {
    const { member, authenticator, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    await mailTo(server.dataDir, member.person.email, "passkey_added");
    expect((await member.open(PASSKEYS)).words).toContain("Work phone");
    const browser = await afterPassword(member, "/profile/name");
    expect((await browser.open(SECOND_STEP)).words).toContain(factors.signIn.lead.passkey);
    const passkey = authenticator.get(await challengeFor(browser, "use"));
    const answer = await browser.post(SECOND_STEP, { passkey, code: "", returnTo: "/profile/name" });
    expect([answer.status, answer.location, await isIn(browser)]).toEqual([303, "/profile/name", true]);
    const again = await afterPassword(member);
    const refused = await again.submit(SECOND_STEP, { passkey });
    expect([refused.status, refused.words.includes(factors.formProblem.passkey_refused), await isIn(again)]).toEqual([422, true, false]);
  });

  test("needs scripts: without them the pages say so and offer a code", async () => {
    const { member } = await withPasskey();
    const without = (text: string) => `<noscript><p>${text}</p></noscript>`;
    const adding = (await member.open(PASSKEYS)).text;
    expect(adding).toContain(without(factors.passkeys.scriptsToAdd));
    expect(adding.indexOf("<noscript><p>"), "before the fields").toBeLessThan(adding.indexOf(factors.passkeys.nameHint));
    const page = await (await afterPassword(member)).open(SECOND_STEP);
    expect(page.text).toContain(without(factors.passkeys.scriptsToUse));
    expect(page.words).toContain(factors.field.recoveryCode);
  });

  test("is not added by somebody who has only the password", async () => {
    const { member } = await withPasskey();
    const browser = await afterPassword(member);
    expect(await challengeFor(browser, "add")).toBe("status 401");
    expect(await challengeFor(visitor(), "use")).toBe("status 401");
  });

  test("is added and removed only after a recent sign-in, or with the password", async () => {
    const { member } = await withPasskey();
    const db = await server.database();
    await db.updateTable("session").set({ created_at: Date.now() - 660_000 }).where("user_id", "=", member.id).execute();
    const passkey = createAuthenticator(BASE_URL).create(await challengeFor(member, "add"));
    expect((await member.submit(PASSKEYS, { name: "x", passkey })).words).toContain(factors.formProblem.password_missing);
    expect((await member.post(PASSKEYS, { name: "x", passkey, currentPassword: member.person.password })).location).toBe(PASSKEYS);
    const ids = async () => (await db.selectFrom("passkey").select("id").where("user_id", "=", member.id).execute()).map(({ id }) => id);
    const [id = ""] = await ids();
    expect((await member.post(PASSKEYS, { remove: id })).status).toBe(422);
    expect(await ids()).toHaveLength(2);
    expect((await member.post(PASSKEYS, { remove: id, currentPassword: member.person.password })).location).toBe(PASSKEYS);
    expect(await ids()).toHaveLength(1);
  });

  test("says whether it was added or removed, and why the last one stays", async () => {
    const { member } = await withPasskey();
    const second = await member.submit(PASSKEYS, { name: "Key", passkey: createAuthenticator(BASE_URL).create(await challengeFor(member, "add")) });
    expect(second.words).toContain(common.flash.passkeyAdded);
    const db = await server.database();
    const passkeys = await db.selectFrom("passkey").select("id").where("user_id", "=", member.id).execute();
    const [one = "", other = ""] = passkeys.map(({ id }) => id);
    const removed = await member.submit(PASSKEYS, { remove: one });
    expect([removed.url.pathname, removed.words.includes(common.flash.passkeyRemoved)]).toEqual([PASSKEYS, true]);
    expect((await member.submit(PASSKEYS, { remove: one })).words).toContain(common.flash.nothingToDo);
    const last = await member.submit(PASSKEYS, { remove: other });
    expect([last.url.pathname, last.words.includes(common.flash.lastPasskey)]).toEqual([`${OVERVIEW}/off`, true]);
    const app = await member.submit(`${OVERVIEW}/app`, { code: codeOf(await beginSetUp(member)) });
    expect([app.url.pathname, app.words.includes(common.flash.appConnected)]).toEqual([OVERVIEW, true]);
  });

  test("of somebody else cannot be removed", async () => {
    const [{ member }, { member: stranger }] = [await withPasskey(), await withPasskey()];
    const db = await server.database();
    const { id } = await db.selectFrom("passkey").select("id").where("user_id", "=", member.id).executeTakeFirstOrThrow();
    await stranger.post(PASSKEYS, { remove: id });
    expect(await db.selectFrom("passkey").select("id").where("id", "=", id).execute()).toHaveLength(1);
  });
});

test("neither a mailed link nor a new password stands in for a recent sign-in", async () => {
  const member = await twoFactorMember();
  const db = await server.database();
  await db.updateTable("user").set({ administrator: 1 }).where("id", "=", member.id).execute();
  expect((await member.get("/admin/people")).status).toBe(200);
  const needsSignIn = async () => ((await member.get("/admin/people")).location ?? "").startsWith("/login?");
  await db.updateTable("session").set({ created_at: Date.now() - 61 * 60_000 }).where("user_id", "=", member.id).execute();
  const { password } = member.person;
  expect((await member.post("/account/password", { currentPassword: password, newPassword: `${password} anders` })).status).toBe(303);
  expect([await isIn(member), await needsSignIn()]).toEqual([true, true]);
  // Unconfirmed again: a confirmed address gets no further link.
  await db.updateTable("user").set({ email_verified: 0 }).where("id", "=", member.id).execute();
  await member.post("/account/verify");
  expect((await member.post("/account/verify", { token: (await mailTo(server.dataDir, member.person.email, "verify", 2)).token })).status).toBe(303);
  expect([await isIn(member), await needsSignIn()]).toEqual([true, true]);
});

describe("later", () => {
  test("recovery codes are renewed with a code, and the former ones end", async () => {
    const member = await twoFactorMember();
    const path = `${OVERVIEW}/recovery-codes`;
    expect((await member.submit(path, { code: "000000" })).words).toContain(factors.formProblem.code_wrong);
    const page = await member.submit(path, { code: codeOf(member.secret, 1) });
    const fresh = recoveryCodesIn(page.text);
    expect(fresh).toHaveLength(10);
    expect(fresh.some((code) => member.recoveryCodes.includes(code))).toBe(false);
    await mailTo(server.dataDir, member.person.email, "recovery_codes_renewed");
    const browser = await afterPassword(member);
    expect((await browser.post(SECOND_STEP, { code: member.recoveryCodes[0] ?? "" })).status).toBe(422);
    expect((await browser.post(SECOND_STEP, { code: fresh[0] ?? "" })).status).toBe(303);
  });

  test("turning it off takes a code, and afterwards the password is enough", async () => {
    const member = await twoFactorMember();
    const path = `${OVERVIEW}/off`;
    expect((await member.post(path)).status).toBe(422);
    expect((await member.post(path, { code: "000000" })).status).toBe(422);
    const page = await member.submit(path, { code: member.recoveryCodes[3] ?? "" });
    expect([page.url.pathname, page.words.includes(common.flash.secondFactorOff)]).toEqual([OVERVIEW, true]);
    await mailTo(server.dataDir, member.person.email, "second_factor_off");
    const browser = visitor();
    expect((await signIn(browser, member.person)).location).toBe("/runs");
    expect(await isIn(browser)).toBe(true);
  });

  test("turning it off also takes the password if the last sign-in is long ago, before any code is used up", async () => {
    const member = await twoFactorMember();
    const db = await server.database();
    await db.updateTable("session").set({ created_at: Date.now() - 660_000 }).where("user_id", "=", member.id).execute();
    const code = member.recoveryCodes[0] ?? "";
    expect((await member.submit(`${OVERVIEW}/off`, { code })).words).toContain(factors.formProblem.password_missing);
    expect((await member.post(`${OVERVIEW}/off`, { code, currentPassword: member.person.password })).status).toBe(303);
  });

  test("the operator resets a lost second factor: all sessions end, and a mail is sent", async () => {
    const member = await twoFactorMember();
    const reset = () => adminCommand(server, "reset-second-factor", member.person.email);
    expect(await reset()).toMatchObject({ status: 0, out: expect.stringContaining(member.person.email) as unknown });
    expect(await reset()).toMatchObject({ status: 1, err: expect.stringContaining("No account") as unknown });
    expect(await isIn(member)).toBe(false);
    const db = await server.database();
    const noted = await db.selectFrom("audit_entry").select(["actor", "action", "subject"]).where("subject_id", "=", member.id).execute();
    expect(noted).toEqual([{ actor: "the command line", action: "second_factor_reset", subject: member.person.email }]);
    // The server checks for mails of other programs every few minutes, and after each of its own mails.
    await visitor().post("/forgot-password", { email: member.person.email });
    await mailTo(server.dataDir, member.person.email, "second_factor_reset");
    expect((await signIn(visitor(), member.person)).location).toBe("/runs");
  });

  test("the export names it without its secrets", async () => {
    const member = await twoFactorMember();
    const { text } = await member.get("/account/export");
    expect((JSON.parse(text) as { secondFactor: { recoveryCodes: unknown[] } }).secondFactor.recoveryCodes).toHaveLength(10);
    for (const hidden of [member.secret, ...member.recoveryCodes]) expect(text).not.toContain(hidden);
  });
});
