import { generateKeyPair, SignJWT, UnsecuredJWT, decodeJwt, type JWTPayload } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import account from "locales/en/account.json";
import common from "locales/en/common.json";
import type { HostedProblem } from "~/accounts/hosted-problems";
import type { FormBrowser, Page } from "../../support/browser/form-browser";
import { answerForm, isAsked, OPENID_SECRET, signInWithOpenId, startWithOpenId, type OpenIdServer } from "../../support/accounts/openid";

let server: OpenIdServer;
let tokenSeconds = 3_600;
beforeAll(async () => {
  server = await startWithOpenId({ accessTokenSeconds: () => tokenSeconds });
});
afterEach(() => {
  server.heal();
  tokenSeconds = 3_600;
});
afterAll(() => server.stop());

const WANTED = "/profile/general?x=1";

function expectProblem(browser: FormBrowser, page: Page, problem: HostedProblem, returnTo = WANTED): void {
  expect([page.status, page.url.pathname]).toEqual([problem === "unavailable" ? 503 : 200, "/login"]);
  expect(Object.fromEntries(page.url.searchParams)).toEqual({ problem, returnTo });
  expect(page.words).toContain(account.hosted.problem[problem]);
  expect(browser.cookies.get("session")).toBeUndefined();
}

const exported = async (browser: FormBrowser) => JSON.parse((await browser.open("/account/export")).text) as { user: { id: string; subject: string; email: string } };

/** Starts recording; returns a function that lists the requests since then. */
function listen(): () => string[] {
  const before = server.provider.requests.length;
  return () => server.provider.requests.slice(before);
}

describe("signing in at an OpenID provider", () => {
  test("begins at a page that requires a sign-in, and ends there", async () => {
    const [browser, user] = [server.browser(), server.person()];
    const form = await browser.open(WANTED);
    expect(form.url.origin).toBe(server.provider.issuer);
    const page = await answerForm(browser, form, user);
    expect([page.status, page.url.href]).toEqual([200, `${server.origin}${WANTED}`]);
    expect(page.words).toContain(user.email);
    expect((await exported(browser)).user).toMatchObject({ subject: `${server.provider.issuer}#${user.id}`, email: user.email });
  });

  test("asks for what is needed, with PKCE, a state and a nonce of its own each time", async () => {
    await server.browser().open("/login");
    await server.browser().open("/login");
    const [one, other] = server.provider.authorizations.slice(-2);
    const secret = expect.stringMatching(/^[\w-]{43}$/) as string;
    expect(one).toEqual({
      ...{ response_type: "code", client_id: "rampe client", redirect_uri: `${server.origin}/auth/callback`, scope: "openid profile email offline_access" },
      ...{ state: secret, nonce: secret, code_challenge: secret, code_challenge_method: "S256" },
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(one?.[name]).not.toBe(other?.[name]);
  });

  test("recognises a user, and takes name and address over at each sign-in", async () => {
    const [first, later, user] = [server.browser(), server.browser(), server.person()];
    await signInWithOpenId(first, user);
    Object.assign(user, { name: "Somebody Renamed", email: "renamed@example.org" });
    expect((await signInWithOpenId(later, user)).words).toContain("Somebody Renamed");
    expect((await exported(later)).user.id).toBe((await exported(first)).user.id);
  });

  test("after declining says so, and the link there begins again", async () => {
    const browser = server.browser();
    const page = await answerForm(browser, await browser.open(WANTED), server.person(), "deny");
    expectProblem(browser, page, "denied");
    const [, again = ""] = /<a class="button" href="([^"]+)"/.exec(page.text) ?? [];
    expect(isAsked(await browser.open(again))).toBe(true);
  });

  test("works with a provider whose id tokens tell everything, and which wants the secret in the form", async () => {
    const other = await startWithOpenId({ claimsInIdToken: true, clientAuthentication: "client_secret_post", algorithm: "ES256" });
    try {
      const [browser, user] = [other.browser(), other.person()];
      expect((await signInWithOpenId(browser, user)).words).toContain(user.email);
      expect(other.provider.requests.filter((request) => request.endsWith("/me"))).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test("logging out ends both sessions", async () => {
    const [browser, user] = [server.browser(), server.person()];
    await signInWithOpenId(browser, user);
    const question = await browser.submit("/logout");
    expect([question.status, question.url.origin]).toEqual([200, server.provider.issuer]);
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(question.text) ?? [];
    const page = await browser.submit(new URL("/session/end/confirm", question.url), { xsrf, logout: "yes" });
    expect([page.status, page.url.href]).toEqual([200, `${server.origin}/`]);
    expect(isAsked(await browser.open("/profile/general"))).toBe(true);
  });

  test("logging out ends the session here where the provider has no page for it", async () => {
    const other = await startWithOpenId();
    try {
      other.provider.faults.description = ({ end_session_endpoint: _, ...more }) => more;
      const browser = other.browser();
      await signInWithOpenId(browser, other.person());
      const page = await browser.submit("/logout");
      expect([page.status, page.url.href]).toEqual([200, `${other.origin}/`]);
      expect(page.words).toContain(common.flash.signedOut);
    } finally {
      await other.stop();
    }
  });

  test("forms may lead to the provider's pages, which the security policy names", async () => {
    const policy = (await server.browser().open("/contact")).headers.get("content-security-policy") ?? "";
    expect(/form-action ([^;]+)/.exec(policy)?.[1]).toContain(server.provider.issuer);
  });
});

describe("the e-mail address", () => {
  test.each<[string, object, HostedProblem]>([
    ["that the provider has not confirmed", { email_verified: false }, "unconfirmed"],
    ["of which the provider does not say whether it is confirmed", { email_verified: undefined }, "unconfirmed"],
    ["that is missing", { email: undefined }, "email"],
  ])("%s is not used: the page says what to do", async (_what, facts, problem) => {
    const browser = server.browser();
    expectProblem(browser, await signInWithOpenId(browser, server.person(facts), WANTED), problem);
  });

  test("of somebody else in the provider's answer is not used", async () => {
    server.provider.faults.userInfo = (told) => ({ ...told, sub: "person-0", email: "victim@example.org" });
    const browser = server.browser();
    expectProblem(browser, await signInWithOpenId(browser, server.person(), WANTED), "email");
  });

  test("and the name are changed at the provider alone, and the profile says so", async () => {
    const [browser, user] = [server.browser(), server.person()];
    const page = await signInWithOpenId(browser, user);
    expect(page.words).toContain(account.profile.elsewhere);
    expect(page.text).not.toContain('href="/profile/name"');
    expect((await browser.open("/profile/name")).url.pathname).toBe("/profile/general");
    expect((await browser.open("/profile/email")).url.pathname).toBe("/profile/general");
    const unchanged = await browser.submit("/profile/name", { name: "Another" });
    expect([unchanged.url.pathname, unchanged.words.includes(user.name ?? "none")]).toEqual(["/profile/general", true]);
  });
});

describe("an id token", () => {
  const now = () => Math.floor(Date.now() / 1_000);
  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ["that has been over for more than a minute", (claims) => ({ ...claims, exp: now() - 65 })],
    ["of another issuer", (claims) => ({ ...claims, iss: "https://evil.example" })],
    ["of an issuer that differs by a slash", (claims) => ({ ...claims, iss: `${claims.iss}/` })],
    ["for another application", (claims) => ({ ...claims, aud: "another-client" })],
    ["for several applications, asked for by another one", (claims) => ({ ...claims, aud: ["rampe client", "other"], azp: "other" })],
    ["for several applications, without who asked", (claims) => ({ ...claims, aud: ["rampe client", "other"] })],
    ["without anybody in it", ({ sub: _, ...claims }) => claims],
    ["with another nonce", (claims) => ({ ...claims, nonce: "A".repeat(43) })],
    ["without a nonce", ({ nonce: _, ...claims }) => claims],
  ])("%s is refused", async (_what, claims) => {
    server.provider.faults.claims = claims;
    const browser = server.browser();
    expectProblem(browser, await signInWithOpenId(browser, server.person(), WANTED), "rejected");
  });

  test.each<[string, (genuine: string) => Promise<string> | string]>([
    ["without a signature", (genuine) => new UnsecuredJWT(decodeJwt(genuine)).encode()],
    ["signed with the application's secret", (genuine) => new SignJWT(decodeJwt(genuine)).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(OPENID_SECRET))],
    ["signed by a stranger", signedByStranger],
    ["that is none at all", () => "not.a.token"],
  ])("%s is refused", async (_what, forge) => {
    server.provider.faults.tokens = async (answer) => ({ ...answer, id_token: await forge(String(answer.id_token)) });
    const browser = server.browser();
    expectProblem(browser, await signInWithOpenId(browser, server.person(), WANTED), "rejected");
  });

  test("of a slightly slow clock is accepted", async () => {
    server.provider.faults.claims = (claims) => ({ ...claims, exp: now() - 45 });
    expect((await signInWithOpenId(server.browser(), server.person(), WANTED)).url.href).toBe(`${server.origin}${WANTED}`);
  });

  async function signedByStranger(genuine: string): Promise<string> {
    const { privateKey } = await generateKeyPair("RS256");
    return new SignJWT(decodeJwt(genuine)).setProtectedHeader({ alg: "RS256", kid: "double-1" }).sign(privateKey);
  }
});

describe("the redirect back from the provider", () => {
  /** Next address of the browser after the provider's form. */
  async function callbackFor(browser: FormBrowser): Promise<URL> {
    const form = await browser.open(WANTED);
    let answer = await browser.post(form.url, { id: server.person().id, action: "continue" });
    while (!answer.location?.startsWith(server.origin)) answer = await browser.get(new URL(answer.location ?? "none:", answer.url));
    return new URL(answer.location);
  }

  test("works once", async () => {
    const browser = server.browser();
    const callback = await callbackFor(browser);
    expect((await browser.open(callback)).url.href).toBe(`${server.origin}${WANTED}`);
    browser.cookies.delete("session");
    expectProblem(browser, await browser.open(callback), "expired");
  });

  test("does not sign in in another browser, or with another issuer", async () => {
    const browser = server.browser();
    const callback = await callbackFor(browser);
    const stranger = server.browser();
    expectProblem(stranger, await stranger.open(callback), "expired", "/runs");
    callback.searchParams.set("iss", "https://evil.example");
    expectProblem(browser, await browser.open(callback), "rejected");
  });

  test.each<[string, HostedProblem]>([
    ["?code=abc", "rejected"],
    ["?error=access_denied", "denied"],
    ["?code=abc&state=made-up", "expired"],
  ])("with %s does not sign in", async (query, problem) => {
    const browser = server.browser();
    expectProblem(browser, await browser.open(`/auth/callback${query}`), problem, "/runs");
  });
});

describe("tokens of a session", () => {
  async function signedInBefore() {
    const [browser, user] = [server.browser(), server.person()];
    tokenSeconds = 1;
    await signInWithOpenId(browser, user, "/login?returnTo=/contact");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    tokenSeconds = 3_600;
    return { browser, user };
  }

  test("are renewed once for many requests, and the profile with them", async () => {
    const { browser, user } = await signedInBefore();
    user.name = "Renamed Meanwhile";
    const asked = listen();
    const pages = await Promise.all(Array.from({ length: 5 }, () => browser.open("/profile/general")));
    for (const page of pages) expect([page.status, page.visited.length, page.words.includes("Renamed Meanwhile")]).toEqual([200, 1, true]);
    expect(asked().filter((request) => request.startsWith("POST"))).toEqual(["POST /token refresh_token"]);
  });

  test("may be renewed without an id token", async () => {
    const { browser, user } = await signedInBefore();
    server.provider.faults.tokens = ({ id_token: _, ...answer }) => answer;
    const page = await browser.open("/profile/general");
    expect([page.status, page.visited.length, page.words.includes(user.email ?? "none")]).toEqual([200, 1, true]);
  });

  test("that the provider has taken back lead to its form", async () => {
    const { browser } = await signedInBefore();
    server.provider.forgetAll();
    expect(isAsked(await browser.open("/profile/general"))).toBe(true);
  });

  test("that cannot be renewed while the provider is down do not end the session", async () => {
    const { browser, user } = await signedInBefore();
    server.provider.faults.status = 503;
    const page = await browser.open("/profile/general");
    expect([page.status, page.words.includes(common.errors.signInDown.title)]).toEqual([503, true]);
    server.heal();
    expect((await browser.open("/profile/general")).words).toContain(user.email);
  });
});

describe("sensitive pages", () => {
  test("want a new sign-in at the provider", async () => {
    const [browser, user] = [server.browser(), server.person()];
    await signInWithOpenId(browser, user);
    const form = await browser.submit("/account/delete");
    expect(isAsked(form)).toBe(true);
    expect(server.provider.authorizations.at(-1)).toMatchObject({ prompt: "login", max_age: "0" });
    const page = await answerForm(browser, form, user);
    expect([page.url.pathname, page.words.includes(account.delete.confirm)]).toEqual(["/account/delete", true]);
  });

  test("are refused with a sign-in of before", async () => {
    const [browser, user] = [server.browser(), server.person()];
    await signInWithOpenId(browser, user);
    server.provider.faults.claims = (claims) => ({ ...claims, auth_time: (claims.iat ?? 0) - 3_600 });
    const page = await answerForm(browser, await browser.submit("/account/delete"), user);
    expect([page.url.pathname, page.url.searchParams.get("problem")]).toEqual(["/login", "rejected"]);
  });
});

describe("a provider that is down, or not the one that is meant,", () => {
  test.each<[string, (down: OpenIdServer) => void]>([
    ["does not answer", ({ provider }) => void (provider.faults.status = 503)],
    ["describes another issuer", ({ provider }) => void (provider.faults.description = (all) => ({ ...all, issuer: "https://evil.example" }))],
    ["adds a slash to its issuer", ({ provider }) => void (provider.faults.description = (all) => ({ ...all, issuer: `${provider.issuer}/` }))],
    ["wants tokens without encryption", ({ provider }) => void (provider.faults.description = (all) => ({ ...all, token_endpoint: "http://id.example/token" }))],
  ])("and %s is named when somebody signs in, until it is well again", async (_how, harm) => {
    const down = await startWithOpenId();
    try {
      harm(down);
      const [browser, user] = [down.browser(), down.person()];
      expectProblem(browser, await browser.open(WANTED), "unavailable");
      expect((await browser.open("/")).status).toBe(200);
      await down.logged(({ msg }) => msg === "the identity provider was not to be reached");
      down.heal();
      expect((await signInWithOpenId(browser, user, WANTED)).url.href).toBe(`${down.origin}${WANTED}`);
    } finally {
      await down.stop();
    }
  });
});
