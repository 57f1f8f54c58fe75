import { scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createAccounts } from "~/accounts/account.server";
import { createPasswords, type Scrypt } from "~/accounts/passwords/passwords.server";
import { createInvitations } from "~/administration/invitations.server";
import type { Mail } from "~/mail/mail";
import { writeLetter } from "~/mail/letters.server";
import { confirmAddress, giveSecondFactor, newMember, newPerson, newToken, register, signedIn, visitorOf } from "../../support/accounts/accounts";
import { adminCommand } from "../../support/servers/run-admin";
import { firstAdministratorLink } from "../../support/accounts/first-administrator";
import { signInAtProvider, startHosted } from "../../support/accounts/hosted";
import { mailsTo, mailTo } from "../../support/servers/outbox";
import { startServer, type TestServer } from "../../support/servers/server";
import { atEachRow } from "../../support/database/server-database";

const servers = new Map<string, Promise<TestServer>>();

/** One server for each setting. */
function serverWith(setting: string, env: Record<string, string> = { BILLING: "off" }): Promise<TestServer> {
  const key = JSON.stringify([setting, env]);
  const known = servers.get(key) ?? startServer({ browser: false, env: { ...env, REGISTRATION: setting, TRUST_PROXY: "1", OPERATOR_EMAIL: "ops@example.org" } });
  servers.set(key, known);
  return known;
}

afterAll(async () => void (await Promise.all([...servers.values()].map(async (server) => (await server).stop()))));

/** Password hash of the test servers (`quick-hashes.mjs`). */
const quickScrypt: Scrypt = (password, salt, length, options) => promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)(password, salt, length, { ...options, N: 2, r: 1, p: 1 });

/** Administrator created in the database, without registration. */
async function administratorOf(server: TestServer) {
  const person = newPerson();
  const db = await server.database();
  const accounts = createAccounts({ db, passwords: createPasswords({ scrypt: quickScrypt }), mails: { post: async () => {} }, runs: { cancelAllOf: async () => [] }, write: writeLetter, baseUrl: server.origin });
  await accounts.register({ ...person, locale: "de" });
  await db.updateTable("user").set({ administrator: 1, email_verified: 1 }).where("email", "=", person.email).execute();
  const member = await signedIn(server, person);
  await giveSecondFactor(db, member.id);
  return member;
}

const runsOf = async (server: TestServer, owner: string) => (await server.database()).selectFrom("run").select("id").where("owner", "=", owner).execute();

describe("REGISTRATION=confirmed", () => {
  test.each([["nothing is sold", { BILLING: "off" }], ["trial scans are given away", { BILLING: "demo", TRIAL_SCANS: "3" }]])(
    "where %s, scans begin once the address is confirmed",
    async (_what, env) => {
      const server = await serverWith("confirmed", env);
      const ada = await newMember(server);
      expect((await ada.open("/runs/new")).words).toContain("sobald Ihre E-Mail-Adresse bestätigt ist");
      const refused = await ada.post("/runs/new", { url: "https://example.com/", scope: "page" });
      expect([refused.status, refused.text.includes("sobald Ihre E-Mail-Adresse bestätigt ist")]).toEqual([422, true]);
      expect(refused.text).toContain('href="#url"');

      const token = await newToken(ada, { "runs:write": "yes" });
      const program = visitorOf(server, { headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } });
      const start = () => fetch(`${server.origin}/api/v1/runs`, { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body: JSON.stringify({ url: "https://example.com/", scope: "page" }) });
      const answer = await start();
      expect([answer.status, (await answer.json()).type]).toEqual([403, "/api#address-not-confirmed"]);
      expect((await program.get("/api")).text).toContain("address-not-confirmed");
      expect(await runsOf(server, ada.id)).toEqual([]);

      await confirmAddress(ada, server);
      expect((await ada.open("/runs/new")).words).not.toContain("sobald Ihre E-Mail-Adresse bestätigt ist");
      expect((await ada.post("/runs/new", { url: "https://example.com/", scope: "page" })).status).toBe(303);
      expect((await start()).status).toBe(201);
    },
  );
});

test("REGISTRATION=open: scans begin without a confirmed address", async () => {
  const ada = await newMember(await serverWith("open"));
  expect((await ada.post("/runs/new", { url: "https://example.com/", scope: "page" })).status).toBe(303);
});

describe.each([["invite", "auf Einladung"], ["closed", "keine Konten"]])("REGISTRATION=%s", (setting, words) => {
  test("the page says so, and how to reach the operator; no form creates an account", async () => {
    const server = await serverWith(setting);
    const eve = visitorOf(server);
    const page = await eve.open("/register");
    expect(page.words).toContain(words);
    expect(page.text).toContain('href="mailto:ops@example.org"');
    expect(page.text).toContain('href="/kontakt"');
    expect(page.text).not.toContain('name="password"');
    expect((await visitorOf(server, { language: "en" }).open("/register")).text).toContain('href="/contact"');
    const person = newPerson();
    for (const returnTo of ["", "/admin/first?token=AAAA", "/invitation?token=AAAA"]) {
      const location = returnTo === "" ? "/register" : `/register?returnTo=${encodeURIComponent(returnTo)}`;
      expect(await eve.post("/register", { ...person, returnTo })).toMatchObject({ status: 303, location });
    }
    expect((await eve.post("/login", { email: person.email, password: person.password })).status).toBe(422);
    expect((await eve.get("/")).text.includes('href="/register"')).toBe(setting === "invite");
  });

  test("whoever has an account logs in from there, and goes on to the chosen plan", async () => {
    const eve = visitorOf(await serverWith(setting));
    const query = `?returnTo=${encodeURIComponent("/setup?plan=pro")}`;
    expect((await eve.open(`/register${query}`)).text).toContain(`href="/login${query}"`);
  });

  test("the free check needs no account", async () => {
    const eve = visitorOf(await serverWith(setting));
    expect((await eve.post("/?index", { url: "https://example.com/" })).location).toMatch(/^\/check\//);
  });

  test("the link of the start lets the first administrator in, who signs in and scans", async () => {
    const server = await startServer({ browser: false, env: { BILLING: "off", REGISTRATION: setting, TRUST_PROXY: "1" } });
    onTestFinished(async () => void (await server.stop()));
    const link = await firstAdministratorLink(server);
    const ada = visitorOf(server);
    expect((await ada.open(`/register?returnTo=${encodeURIComponent(link)}`)).text).toContain('name="password"');
    const person = newPerson();
    expect(await ada.post("/register", { ...person, returnTo: link })).toMatchObject({ status: 303, location: link });
    expect((await ada.post("/admin/first", { token: link.split("=")[1] ?? "" })).location).toBe("/admin/people");
    expect((await register(visitorOf(server), newPerson())).location).toBe("/register");
    expect((await (await signedIn(server, person)).post("/runs/new", { url: "https://example.com/", scope: "page" })).status).toBe(303);
  });

  test("an invited person creates an account, whose address is confirmed", async () => {
    const server = await serverWith(setting);
    const zoe = await administratorOf(server);
    const person = newPerson();
    expect((await zoe.post("/admin/invitations", { email: "nobody", locale: "de" })).status).toBe(422);
    expect((await zoe.submit("/admin/invitations", { email: "", locale: "de" })).words).toContain("an die die Einladung gehen soll");
    expect((await zoe.post("/admin/invitations", { email: zoe.person.email, locale: "de" })).text).toContain("schon ein Konto");
    expect(await zoe.post("/admin/invitations", { email: person.email, locale: "en" })).toMatchObject({ status: 303, location: "/admin/invitations" });
    expect((await zoe.open("/admin/invitations")).words).toContain(person.email);
    const { link, text } = await mailTo(server.dataDir, person.email, "invitation");
    expect(text).toContain("You are invited");

    expect((await zoe.open(link)).words).toContain("Sie haben schon ein Konto");
    const cleo = visitorOf(server);
    const form = await cleo.open(link);
    expect(form.url.pathname).toBe("/register");
    expect(form.text).toContain(`value="${person.email}"`);
    const returnTo = form.url.searchParams.get("returnTo") ?? "";
    expect((await cleo.post("/register", { ...person, password: "short", returnTo })).status).toBe(422);
    // The invitation does not confirm another address.
    expect((await cleo.post("/register", { ...person, email: "other@example.org", returnTo })).status).toBe(303);
    const { user } = JSON.parse((await cleo.get("/account/export")).text) as { user: object };
    expect(user).toMatchObject({ email: person.email, emailVerified: true });
    expect((await cleo.post("/runs/new", { url: "https://example.com/", scope: "page" })).status).toBe(303);
    expect((await visitorOf(server).open(link)).words).toContain("gilt nicht mehr");
    expect((await visitorOf(server).post("/register", { ...newPerson(), returnTo })).location).toBe(`/register?returnTo=${encodeURIComponent(returnTo)}`);
    expect((await zoe.open("/admin/invitations")).words).toContain("Konto angelegt am");
  });

  test("an invitation that is taken back while the account is created says so", async () => {
    const server = await serverWith(setting);
    const zoe = await administratorOf(server);
    const person = newPerson();
    await zoe.post("/admin/invitations", { email: person.email, locale: "de" });
    const { link } = await mailTo(server.dataDir, person.email, "invitation");
    const db = await server.database();
    onTestFinished(await atEachRow(db, "after insert", "user", `delete from invitation where email_key = new.email_key and email_key = '${person.email}'`));
    expect(await visitorOf(server).post("/register", { ...person, returnTo: link })).toMatchObject({ status: 303, location: link });
    expect(await db.selectFrom("user").select("id").where("email", "=", person.email).execute()).toEqual([]);
  });

  test("the command invites, too; an invitation can be sent again and taken back", async () => {
    const server = await serverWith(setting);
    const zoe = await administratorOf(server);
    const { email } = newPerson();
    expect(await adminCommand(server, "invite", email)).toMatchObject({ err: "", status: 0, out: expect.stringContaining(email) });
    expect(await adminCommand(server, "invite", "nobody")).toMatchObject({ status: 1, err: expect.stringContaining("nobody") });
    const { id, sent_at } = await (await server.database()).selectFrom("invitation").select(["id", "sent_at"]).where("email", "=", email).executeTakeFirstOrThrow();
    expect((await zoe.post("/admin/invitations", { do: "again", id, sentAt: String(sent_at) })).status).toBe(303);
    // The server checks for mails of commands every five minutes; its own mail starts a check immediately.
    const second = await mailTo(server.dataDir, email, "invitation", 2);
    const links = mailsTo(server.dataDir, email).map(({ link }) => link);
    expect((await visitorOf(server).get(links.find((link) => link !== second.link) ?? "")).status).toBe(200);
    expect((await visitorOf(server).get(second.link)).status).toBe(303);
    expect((await zoe.post("/admin/invitations", { do: "takeBack", id })).status).toBe(303);
    expect((await visitorOf(server).open(second.link)).words).toContain("gilt nicht mehr");
  });

  test("a first sign-in at the hosted provider creates no account; a known person signs in", async () => {
    const hosted = await startHosted({ env: { REGISTRATION: setting } });
    onTestFinished(async () => void (await hosted.stop()));
    const db = await hosted.database();
    const [known, stranger] = [hosted.person(), hosted.person()];
    const page = await signInAtProvider(hosted.browser(), stranger, "/login");
    expect([page.url.pathname, page.url.searchParams.get("problem")]).toEqual(["/login", setting]);
    expect(await db.selectFrom("user").select("id").execute()).toEqual([]);
    expect((await hosted.browser().open("/register")).url.origin).toBe(hosted.origin);

    const link = await firstAdministratorLink(hosted);
    const browser = hosted.browser();
    const opened = await signInAtProvider(browser, known, `/login?returnTo=${encodeURIComponent(link)}`);
    expect(`${opened.url.pathname}${opened.url.search}`).toBe(link);
    expect((await browser.post("/admin/first", { token: link.split("=")[1] ?? "" })).location).toBe("/admin/people");
    expect((await signInAtProvider(hosted.browser(), known, "/login")).url.searchParams.get("problem")).toBeNull();
    expect(await db.selectFrom("user").select("email").execute()).toEqual([{ email: known.email }]);
  });

  test("an invitation admits only its own address at the hosted provider, and is used up then", async () => {
    const hosted = await startHosted({ env: { REGISTRATION: setting } });
    onTestFinished(async () => void (await hosted.stop()));
    const db = await hosted.database();
    const [invited, stranger] = [hosted.person(), hosted.person()];
    const posted: Mail[] = [];
    const invitations = createInvitations({ db, hosted: true, mails: { post: async (_trx, mail) => void posted.push(mail) }, write: writeLetter, baseUrl: hosted.origin });
    await invitations.invite("the command line", { email: invited.email.toUpperCase(), locale: "en" });
    const [link = ""] = /\/invitation\?token=[\w-]{43}/.exec(posted[0]?.text ?? "") ?? [];
    const path = `/login?returnTo=${encodeURIComponent(link)}`;
    const refused = await signInAtProvider(hosted.browser(), stranger, path);
    expect([refused.url.pathname, refused.url.searchParams.get("problem")]).toEqual(["/login", "other_address"]);
    expect(refused.words).toContain("another email address");
    expect(refused.text).toContain(`again=yes&amp;returnTo=${encodeURIComponent(link)}`);
    expect(await db.selectFrom("user").select("id").execute()).toEqual([]);
    expect((await signInAtProvider(hosted.browser(), invited, path)).url.pathname).toBe("/runs");
    expect(await db.selectFrom("user").select("email").execute()).toEqual([{ email: invited.email }]);
    expect((await invitations.list({ offset: 0, limit: 5 })).invitations).toMatchObject([{ usedAt: expect.any(Number) }]);
  });
});
