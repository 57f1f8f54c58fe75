import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import common from "locales/en/common.json";
import { confirmAddress, newMember, register, signIn, visitorOf } from "../../support/accounts/accounts";
import type { FormBrowser } from "../../support/browser/form-browser";
import { mailTo, mailsTo } from "../../support/servers/outbox";
import { startServer, type TestServer } from "../../support/servers/server";
import { databaseBytes } from "../../support/database/server-database";

const SECRET = "a secret of the tests that is long enough";
const ENTITLED = { BILLING: "off", TRUST_PROXY: "1", SESSION_SECRET: `${SECRET},an older secret that is still accepted` };

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ browser: false, env: ENTITLED });
});

afterAll(() => server.stop());

/** Visitor with a new address, because registrations and attempts are limited per address. */
const visitor = () => visitorOf(server, { language: "en" });
const member = () => newMember(server, { language: "en" });

const isIn = async (browser: FormBrowser) => (await browser.get("/profile/general")).status === 200;

describe("the session", () => {
  test("a session id from before signing in is useless afterwards", async () => {
    const browser = visitor();
    // A form sent by a guest starts a session that keeps it.
    await browser.post("/profile/name", { name: "Grace" });
    const planted = browser.cookies.get("session") ?? "";
    expect(planted).not.toBe("");
    const { person } = await member();
    expect((await signIn(browser, person)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);

    const attacker = visitor();
    attacker.cookies.set("session", planted);
    expect(await isIn(attacker)).toBe(false);
    expect(browser.cookies.get("session")).not.toBe(planted);
  });

  test("a cookie that was changed, invented, or signed with another secret is useless", async () => {
    const browser = await member();
    const cookie = decodeURIComponent(browser.cookies.get("session") ?? "");
    const [value = "", signature = ""] = cookie.split(/\.(?=[^.]*$)/);
    const sign = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("base64").replace(/=+$/, "");
    expect(sign(value, SECRET), "the test knows how a cookie is signed").toBe(signature);

    const other = Buffer.from('"an id of mine"').toString("base64");
    const forged = [
      `${value}x.${signature}`,
      `${value}.${signature.slice(0, -2)}`,
      value,
      `${value}.`,
      `${value}.${sign(value, "some other secret that is long enough")}`,
      `${other}.${sign(other, SECRET)}`,
      `${Buffer.from('{"userId":1}').toString("base64")}.${signature}`,
    ];
    for (const each of forged) {
      const stranger = visitor();
      stranger.cookies.set("session", encodeURIComponent(each));
      expect(await isIn(stranger), each).toBe(false);
    }
    const rotated = visitor();
    rotated.cookies.set("session", encodeURIComponent(`${value}.${sign(value, "an older secret that is still accepted")}`));
    expect(await isIn(rotated), "a secret that is being replaced").toBe(true);
  });

  test("signing out ends the session, also for a copy of the cookie; also everywhere at once", async () => {
    const browser = await member();
    const copy = visitor();
    copy.cookies.set("session", browser.cookies.get("session") ?? "");
    expect(await isIn(copy)).toBe(true);
    const elsewhere = visitor();
    await signIn(elsewhere, browser.person);

    expect((await browser.post("/logout", {})).location).toBe("/");
    expect([await isIn(browser), await isIn(copy), await isIn(elsewhere)]).toEqual([false, false, true]);

    const third = visitor();
    await signIn(third, browser.person);
    await third.post("/account/sessions", { session: "everywhere" });
    expect([await isIn(elsewhere), await isIn(third)]).toEqual([false, false]);
  });

  test("who ends a session that has ended already is told so, and finds the way back", async () => {
    const page = await (await member()).submit("/account/sessions", { session: "ended long ago" });
    expect([page.url.pathname, page.words.includes(common.flash.nothingToDo)]).toEqual(["/account/sessions", true]);
    expect(page.text).toMatch(/<main[\s\S]*href="\/profile\/general"[\s\S]*<\/main>/);
  });

  test("a user cannot end another user's session", async () => {
    const [one, other] = [await member(), await member()];
    const page = (await one.get("/account/sessions")).text;
    await signIn(one, one.person);
    const id = /name="session" value="([\w-]{20,})"/.exec((await one.get("/account/sessions")).text)?.[1];
    expect(id ?? page).toBeDefined();
    await other.post("/account/sessions", { session: id ?? "" });
    expect(await isIn(one)).toBe(true);
  });

  test("on https the cookie is limited to this host", async () => {
    const secure = await startServer({ browser: false, env: { BASE_URL: "https://rampe.example" } });
    const browser = visitorOf(secure);
    const answer = await browser.post("/profile/name", { name: "Ada" });
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-session=/);
    for (const attribute of ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]) expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/domain/i);
    await secure.stop();
  });
});

describe("forms", () => {
  test("a form on another site changes nothing", async () => {
    const browser = await member();
    const foreign: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: server.origin.replace("127.0.0.1", "127.0.0.1.evil.example") },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of foreign) {
      const answer = await browser.post("/profile/name", { name: "Mallory" }, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect((await browser.post("/logout", {}, headers)).status).toBe(403);
    }
    expect((await browser.get("/profile/general")).text).toContain(browser.person.name);
    expect((await browser.post("/profile/name", { name: "Grace" }, { Origin: server.origin })).status).toBe(303);
  });

  test.each(["//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example/", "/%09/evil.example", "/\t/evil.example", "javascript:alert(1)", "/\u0000//evil.example", "///evil.example", "/login", "/logout"])(
    "signing in leads to our own pages only: %j",
    async (returnTo) => {
      const { person } = await member();
      const answer = await signIn(visitor(), person, returnTo);
      const target = new URL(answer.location ?? "", server.origin);
      expect(target.origin).toBe(server.origin);
      expect(answer.location).toMatch(/^\/(?![/\\])/);
      expect(target.pathname).not.toMatch(/^\/log/);
    },
  );

  test("a form sent after the session has ended is filled in again after signing in, without passwords", async () => {
    const browser = await member();
    browser.cookies.clear();
    const sent = await browser.post("/profile/email", { email: "new@example.org", currentPassword: "geheimes Passwort 1" });
    expect([sent.status, sent.location]).toEqual([303, "/login?returnTo=%2Fprofile%2Femail"]);
    const signedIn = await signIn(browser, browser.person, "/profile/email");
    const form = (await browser.get(signedIn.location ?? "")).text;
    expect(form).toContain('value="new@example.org"');
    expect(form).not.toContain("geheimes Passwort 1");
  });
});

describe("attackers", () => {
  test("get the same answer to a forgotten password for a known and an unknown address", async () => {
    const { email } = (await member()).person;
    const answers = await Promise.all(
      [email, "nobody@example.org"].map(async (address) => {
        const forgot = await visitor().post("/forgot-password", { email: address });
        return [forgot.status, forgot.location, forgot.text];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("who register with another user's address change nothing and are not signed in; the owner gets a mail", async () => {
    const { person } = await member();
    const browser = visitor();
    const answer = await register(browser, { name: "Eve Fremd", email: person.email, password: `${person.password} oder so` });
    expect([answer.status, browser.cookies.size]).toEqual([422, 0]);
    expect((await mailTo(server.dataDir, person.email, "already_registered")).text).toContain("/forgot-password");
    const owner = visitor();
    await signIn(owner, person);
    expect((await owner.get("/profile/general")).text, "the account is still its owner's").toContain(person.name);
  });

  test("cannot guess passwords by registering: each attempt counts as a sign-in", async () => {
    const { person } = await member();
    const browser = visitor();
    const registerWith = (password: string) => register(browser, { ...person, name: "Eve Fremd", password });
    const guesses: number[] = [];
    for (let guess = 0; guess < 10; guess += 1) guesses.push((await registerWith(`falsch geraten Nummer ${guess}`)).status);
    expect(new Set(guesses)).toEqual(new Set([422]));
    expect([(await registerWith(person.password)).status, (await signIn(browser, person)).status]).toEqual([429, 429]);
  });

  test("who guess passwords are blocked; the owner at another address is not", async () => {
    const { person } = await member();
    const guesser = visitor();
    const statuses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await signIn(guesser, { ...person, password: `wrong guess number ${guess}` })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429]);
    const stopped = await signIn(guesser, person);
    expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signIn(visitor(), person)).status).toBe(303);
  });

  test("cannot flood a mailbox: mails per recipient are limited", async () => {
    const { email } = (await member()).person;
    for (let times = 0; times < 8; times += 1) await visitor().post("/forgot-password", { email });
    await mailTo(server.dataDir, email, "reset_password");
    const resets = mailsTo(server.dataDir, email).filter(({ link }) => link.startsWith("/reset-password"));
    expect(resets.length).toBeLessThanOrEqual(5);
  });

  test("with only the database cannot open an account", async () => {
    const { person, ...browser } = await member();
    await browser.post("/forgot-password", { email: person.email });
    const { token } = await mailTo(server.dataDir, person.email, "reset_password");
    const id = Buffer.from(decodeURIComponent(browser.cookies.get("session") ?? "").split(".")[0] ?? "", "base64").toString();

    const stolen = await databaseBytes(server);
    expect(stolen.includes(person.email), "the test reads the right bytes").toBe(true);
    for (const secret of [token, id.replaceAll('"', ""), person.password]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(stolen.includes(secret)).toBe(false);
    }
  });
});

describe("a link in a mail", () => {
  test("resets the password once and signs out everywhere else; opening it alone changes nothing", async () => {
    const browser = await member();
    const { email } = browser.person;
    await visitor().post("/forgot-password", { email });
    const { link, token } = await mailTo(server.dataDir, email, "reset_password");
    const reader = visitor();
    await reader.get(link);
    await reader.get(link);
    expect(await isIn(browser)).toBe(true);

    expect((await reader.post("/reset-password", { token, password: "passwort1234" })).status).toBe(422);
    expect((await reader.post("/reset-password", { token, password: "ein ganz neues Passwort" })).status).toBe(303);
    expect([await isIn(reader), await isIn(browser)]).toEqual([true, false]);
    expect((await visitor().post("/reset-password", { token, password: "noch ein neues Passwort" })).location).toBe("/reset-password");
    expect((await signIn(visitor(), browser.person)).status).toBe(422);
    expect((await signIn(visitor(), { email, password: "ein ganz neues Passwort" })).status).toBe(303);
  });

  test("confirms an address only for its own account", async () => {
    const [one, other] = [await member(), await member()];
    const { token } = await mailTo(server.dataDir, one.person.email, "verify");
    expect((await other.post("/account/verify", { token })).status).toBe(422);
    expect((await confirmAddress(one, server)).status).toBe(303);
    expect((await one.get("/account/verify")).text).toContain("is confirmed");
    const used = await one.submit("/account/verify", { token });
    expect([used.status, used.words.includes("no longer valid"), used.words.includes(one.person.email)]).toEqual([200, true, true]);
  });
});

describe("the account", () => {
  test("can be exported and deleted by its owner without a purchase", async () => {
    const browser = await member();
    const { email, name, password } = browser.person;
    const exported = await browser.get("/account/export");
    expect(exported.headers.get("content-disposition")).toContain("attachment");
    expect(exported.headers.get("cache-control")).toContain("no-store");
    expect(JSON.parse(exported.text)).toMatchObject({ schema: 1, user: { email, name }, sessions: [{}], runs: [] });
    expect(exported.text).not.toMatch(/scrypt|id_hash/);

    expect((await browser.post("/account/delete", { currentPassword: password })).status).toBe(422);
    expect((await browser.post("/account/delete", { confirmed: "yes", currentPassword: "falsch" })).status).toBe(422);
    expect((await browser.post("/account/delete", { confirmed: "yes", currentPassword: password })).location).toBe("/");
    expect(await isIn(browser)).toBe(false);
    expect((await signIn(visitor(), browser.person)).status).toBe(422);
  });
});
