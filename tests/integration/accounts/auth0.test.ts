import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import account from "locales/en/account.json";
import common from "locales/en/common.json";
import { asksToSignIn, AUDIENCE, fillIn, ORGANIZATION, signInAgain, signInAtProvider, startHosted, type HostedServer } from "../../support/accounts/hosted";
import type { FormBrowser } from "../../support/browser/form-browser";
import { databaseBytes } from "../../support/database/server-database";

let hosted: HostedServer;
beforeAll(async () => {
  hosted = await startHosted();
});
afterEach(() => hosted.heal());
afterAll(() => hosted.stop());

const exported = async (browser: FormBrowser) => {
  const { text, status } = await browser.open("/account/export");
  expect(status).toBe(200);
  return JSON.parse(text) as { user: { id: string; email: string; name: string }; sessions: unknown[] };
};

describe("signing in at the hosted provider", () => {
  test("begins at a page that requires a sign-in, and ends there", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    const wanted = "/profile/name?from=mail&x=%2F";
    const form = await browser.open(wanted);
    expect(form.url.host).toBe(hosted.provider.domain);
    expect(asksToSignIn(form)).toBe(true);
    const page = await fillIn(browser, form, user);
    expect(page.url.href).toBe(`${hosted.origin}${wanted}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${user.name}"`);
    expect((await browser.open("/profile/general")).words).toContain(user.email);
  });

  test("requests exactly the needed parameters from the provider", async () => {
    await hosted.browser().open("/login");
    await hosted.browser().open("/login");
    const [one, other] = hosted.provider.authorizations.slice(-2);
    expect(one).toEqual({
      response_type: "code",
      client_id: "rampe-client",
      redirect_uri: `${hosted.origin}/auth/callback`,
      scope: "openid profile email offline_access",
      audience: AUDIENCE,
      organization: ORGANIZATION,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(one?.[name]).not.toBe(other?.[name]);
  });

  test("to register shows the provider's form for new accounts, and returns to the page", async () => {
    const browser = hosted.browser();
    const form = await browser.open(`/register?returnTo=${encodeURIComponent("/contact?topic=enterprise")}`);
    expect(form.url.pathname).toBe("/u/signup");
    expect(hosted.provider.authorizations.at(-1)?.screen_hint).toBe("signup");
    const page = await fillIn(browser, form, hosted.person());
    expect([page.status, page.url.pathname, page.url.search]).toEqual([200, "/contact", "?topic=enterprise"]);
  });

  test.each(["//evil.example", "/\\evil.example", "https://evil.example/", "/\t/evil.example", "/logout", "/login"])(
    "does not lead back to %j",
    async (returnTo) => {
      const browser = hosted.browser();
      const page = await signInAtProvider(browser, hosted.person(), `/login?returnTo=${encodeURIComponent(returnTo)}`);
      expect([page.status, page.url.href]).toEqual([200, `${hosted.origin}/runs`]);
    },
  );

  test("recognises a user, and updates the profile from the provider", async () => {
    const user = hosted.person();
    const browser = hosted.browser();
    await signInAtProvider(browser, user);
    const first = await exported(browser);
    Object.assign(user, { name: "Somebody Renamed", email: "renamed@example.org" });
    const another = hosted.browser();
    await signInAtProvider(another, user);
    const second = await exported(another);
    expect(second.user).toMatchObject({ id: first.user.id, name: "Somebody Renamed", email: "renamed@example.org" });
    expect(second.sessions).toHaveLength(2);
  });

  test("does not confuse two users with the same address", async () => {
    const [one, other] = [hosted.browser(), hosted.browser()];
    await signInAtProvider(one, hosted.person({ email: "shared@example.org", password: "one" }));
    await signInAtProvider(other, hosted.person({ user_id: "google-oauth2|4711", email: "shared@example.org", password: "other" }));
    expect((await exported(one)).user.id).not.toBe((await exported(other)).user.id);
  });

  test("needs no input if the user is still signed in at the provider", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    await signInAtProvider(browser, user);
    browser.cookies.delete("session");
    const page = await browser.open("/profile/general");
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/general"]);
    expect(page.words).toContain(user.name);
  });

  test("keeps a typed form, and gives the session a new id", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    const form = await browser.submit("/profile/name", { name: "Typed Before" });
    const planted = browser.cookies.get("session") ?? "none";
    const page = await fillIn(browser, form, user);
    expect(page.url.pathname).toBe("/profile/name");
    expect(page.text).toContain('value="Typed Before"');
    expect(page.words).toContain(common.form.kept);
    expect(user.name).not.toBe("Typed Before");

    expect(browser.cookies.get("session")).not.toBe(planted);
    const thief = hosted.browser();
    thief.cookies.set("session", planted);
    expect(asksToSignIn(await thief.open("/profile/general"))).toBe(true);
  });

  test.each(["/login", "/register"])("replaces the password form at %s", async (address) => {
    const page = await hosted.browser().submit(address, { email: "a@example.org", password: "a long password" });
    expect(page.status).toBe(405);
    expect(page.words).toContain(common.errors.methodNotAllowed.title);
  });
});

describe("logging out", () => {
  test("ends the session here and at the provider, and leads to the home page", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    await signInAtProvider(browser, user);
    const session = browser.cookies.get("session") ?? "none";
    const page = await browser.submit("/logout");
    expect([page.status, page.url.href]).toEqual([200, `${hosted.origin}/`]);
    expect(page.visited.map(({ pathname }) => pathname)).toEqual(["/logout", "/v2/logout", "/"]);
    expect(browser.cookies.get("session")).toBeUndefined();
    expect(asksToSignIn(await browser.open("/login"))).toBe(true);

    const thief = hosted.browser();
    thief.cookies.set("session", session);
    expect(asksToSignIn(await thief.open("/account/export"))).toBe(true);
  });
});

describe("the data folder without the secret", () => {
  test("contains no readable token of the provider", async () => {
    const secret = "a secret that is not kept in the data folder";
    const guarded = await startHosted({ env: { SESSION_SECRET: secret } });
    try {
      const browser = guarded.browser();
      const user = guarded.person();
      await signInAtProvider(browser, user);
      const { issued } = guarded.provider;
      expect(issued).toHaveLength(3);
      const files = readdirSync(guarded.dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
      const stored = Buffer.concat([await databaseBytes(guarded), ...files.map((file) => readFileSync(path.join(file.parentPath, file.name)))]);
      expect(stored.includes(user.email), "the test reads the right bytes").toBe(true);
      const [id = "none"] = decodeURIComponent(browser.cookies.get("session") ?? "").split(".");
      const cookie = Buffer.from(id, "base64").toString().replaceAll('"', "");
      expect(cookie).toMatch(/^[\w-]{20,}$/);
      for (const secret of [...issued, cookie]) expect(stored.includes(secret)).toBe(false);
    } finally {
      await guarded.stop();
    }
  });
});

describe("changing the address and deleting the account", () => {
  const DELETE = "/account/delete";

  test.each([
    ["/profile/email", { email: "thief@example.org" }],
    [DELETE, { confirmed: "yes" }],
  ])("at %s require a recent sign-in at the provider", async (path, fields) => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    await signInAtProvider(browser, user);
    expect((await browser.open(path)).words).toContain(account.prove.lead);
    const form = await browser.submit(path, fields);
    expect(asksToSignIn(form), "also where the provider still knows the browser").toBe(true);
    expect(hosted.provider.authorizations.at(-1)).toMatchObject({ prompt: "login", max_age: "0" });
    expect((await exported(browser)).user.email).toBe(user.email);
    const page = await fillIn(browser, form, user);
    expect(page.url.pathname).toBe(path);
    expect(page.words).toContain(common.form.kept);
    expect(page.words).not.toContain(account.prove.lead);
    const done = await browser.submit(path, { email: "mine@example.org", confirmed: "yes" });
    expect(done.url.href).toBe(path === DELETE ? `${hosted.origin}/` : `${hosted.origin}${path}?sent`);
  });

  test.each([
    ["leaves out that a password is wanted", (at: number) => at - 3_600, ["prompt", "max_age"]],
    ["makes an hour enough", (at: number) => at - 3_600, ["prompt"]],
    ["is answered without a time", () => undefined, []],
  ])("are refused in a browser that %s", async (_how, timeOf, without) => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    await signInAtProvider(browser, user);
    hosted.provider.faults.claims = ({ auth_time: _asked, ...claims }) => ({ ...claims, auth_time: timeOf(claims.iat ?? 0) });
    const wanted = new URL((await browser.post(DELETE)).location ?? "");
    for (const name of without) wanted.searchParams.delete(name);
    if (without.length === 1) wanted.searchParams.set("max_age", "7200");
    const answer = await browser.open(wanted);
    const page = asksToSignIn(answer) ? await fillIn(browser, answer, user) : answer;
    expect([page.url.pathname, page.url.searchParams.get("problem")]).toEqual(["/login", "rejected"]);
    hosted.heal();
    expect(asksToSignIn(await browser.submit(DELETE, { confirmed: "yes" }))).toBe(true);
  });
});

describe("a user's name and address", () => {
  const outbox = () => {
    const folder = path.join(hosted.dataDir, "outbox");
    const files = readdirSync(folder).filter((file) => file.endsWith(".eml"));
    // Long lines of a mail are split, with `=` at the end (quoted-printable).
    return files.map((file) => readFileSync(path.join(folder, file), "utf8").replaceAll("=\r\n", ""));
  };

  test("the name is also changed at the provider", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    await signInAtProvider(browser, user);
    const page = await browser.submit("/profile/name", { name: "Änne Neu" });
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/general"]);
    expect(page.words).toContain(common.flash.nameChanged);
    expect(page.words).toContain("Änne Neu");
    expect(user.name).toBe("Änne Neu");
    expect(hosted.provider.requests).toContain(`PATCH /api/v2/users/${encodeURIComponent(user.user_id)}`);
  });

  test("a new address must be confirmed, and the old one gets a mail, once the provider has accepted it", async () => {
    const [browser, user] = [hosted.browser(), hosted.person()];
    const old = user.email;
    await signInAtProvider(browser, user);
    await signInAgain(browser, user, "/profile/email");
    hosted.provider.faults.managementStatus = 503;
    for (const [path, fields] of [["/profile/email", { email: "brand-new@example.org" }], ["/profile/name", { name: "Brand New" }]] as const) {
      const refused = await browser.submit(path, fields);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
      expect(refused.words).toContain(account.identity.heading);
      expect(refused.text).toContain(`value="${Object.values(fields)[0]}"`);
    }
    hosted.heal();
    const page = await browser.submit("/profile/email", { email: "brand-new@example.org" });
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/email"]);
    expect(page.words).toContain(account.email.sentHosted);
    expect(user).toMatchObject({ email: "brand-new@example.org", email_verified: false });
    expect(hosted.provider.mails).toContain("brand-new@example.org");
    const profile = await browser.open("/profile/general");
    expect(profile.words).toContain("brand-new@example.org");
    expect(profile.words).toContain(account.verification.open);

    const toOld = () => outbox().filter((each) => each.includes(`To: ${old}`));
    await vi.waitFor(() => expect(toOld()).toHaveLength(1), { timeout: 10_000 });
    expect(toOld()[0]).toContain("brand-new@example.org");
    expect(outbox().some((each) => each.includes("To: brand-new@example.org")), "the provider writes there").toBe(false);
  });

  test("an unconfirmed address can be confirmed by the provider's mail", async () => {
    const [browser, user] = [hosted.browser(), hosted.person({ email_verified: false })];
    expect((await signInAtProvider(browser, user)).text).toContain('href="/account/verify"');
    hosted.provider.faults.managementStatus = 503;
    const postponed = await browser.submit("/account/verify");
    expect([postponed.status, postponed.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(postponed.words).toContain(account.verify.problem.identity);
    hosted.heal();
    const page = await browser.submit("/account/verify");
    expect(page.words).toContain(account.verify.sentHosted);
    expect(hosted.provider.mails).toContain(user.email);
    user.email_verified = true;
    const later = hosted.browser();
    expect((await signInAtProvider(later, user)).words).toContain(account.verification.done);
  });

  test("of another sign-in service can only be changed there, and the form says so", async () => {
    const browser = hosted.browser();
    const user = hosted.person({ user_id: "google-oauth2|1147", email: "social@example.org" });
    const before = { ...user };
    await signInAtProvider(browser, user);
    await signInAgain(browser, user, "/profile/email");
    for (const [address, fields, problem] of [
      ["/profile/name", { name: "Somebody Else" }, "name_elsewhere"],
      ["/profile/email", { email: "else@example.org" }, "email_elsewhere"],
    ] as const) {
      const page = await browser.submit(address, fields);
      expect(page.status).toBe(422);
      expect(page.words).toContain(account.problem[problem]);
      expect(page.text).toContain(`value="${Object.values(fields)[0]}"`);
    }
    expect(user).toEqual(before);
    expect((await exported(browser)).user).toMatchObject({ name: before.name, email: before.email });
  });

  test("are unchanged if the application lacks a permission, and the log names it", async () => {
    const restricted = await startHosted({ provider: { managementScopes: ["read:users"] } });
    try {
      const [browser, user] = [restricted.browser(), restricted.person()];
      const before = { ...user };
      await signInAtProvider(browser, user);
      await signInAgain(browser, user, "/profile/email");
      for (const [address, fields] of [
        ["/profile/name", { name: "Somebody Else" }],
        ["/profile/email", { email: "else@example.org" }],
      ] as const) {
        const page = await browser.submit(address, fields);
        expect(page.status).toBe(500);
        expect(page.words).toContain(common.errors.broken.title);
        const reference = page.headers.get("x-request-id");
        await restricted.logged(
          ({ req, err }) =>
            (req as { id?: string } | undefined)?.id === reference &&
            /Insufficient scope.*update:users/.test((err as { message?: string } | undefined)?.message ?? ""),
        );
      }
      expect(user).toEqual(before);
      expect((await exported(browser)).user).toMatchObject({ name: before.name, email: before.email });
    } finally {
      await restricted.stop();
    }
  });
});
