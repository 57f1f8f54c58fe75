import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import account from "locales/en/account.json";
import type { HostedProblem } from "~/accounts/hosted-problems";
import type { FormBrowser, Page } from "../../support/browser/form-browser";
import { actionOf, asksToSignIn, CLIENT_SECRET, fillIn, signInAtProvider, startHosted, type HostedServer } from "../../support/accounts/hosted";

let hosted: HostedServer;
beforeAll(async () => {
  hosted = await startHosted();
});
afterEach(() => hosted.heal());
afterAll(() => hosted.stop());

const WANTED = "/profile/name?x=1";
const now = () => Math.floor(Date.now() / 1_000);

/** Expects no sign-in, a sentence with the reason, and a link to try again. No retry without a click. */
function expectProblem(browser: FormBrowser, page: Page, problem: HostedProblem, returnTo = WANTED): void {
  const isDown = problem === "unavailable";
  expect([page.status, page.url.pathname]).toEqual([isDown ? 503 : 200, "/login"]);
  expect(page.headers.get("retry-after")).toBe(isDown ? "60" : null);
  expect(Object.fromEntries(page.url.searchParams)).toEqual({ problem, returnTo });
  expect(page.words).toContain(account.hosted.problem[problem]);
  expect(page.text).toContain(`href="/login?returnTo=${encodeURIComponent(returnTo)}"`);
  expect(page.visited.filter(({ pathname }) => pathname === "/authorize").length).toBeLessThanOrEqual(1);
  expect(browser.cookies.get("session")).toBeUndefined();
}

/** Next address of the browser after the provider's form. */
async function callbackFor(browser: FormBrowser, { email, password } = hosted.person()): Promise<URL> {
  const form = await browser.open(WANTED);
  const { location } = await browser.post(actionOf(form), { email, password });
  return new URL(location ?? "none:");
}

describe("an id token", () => {
  const refused: [what: string, claims: (claims: JWTPayload) => JWTPayload][] = [
    ["that has been over for more than a minute", (claims) => ({ ...claims, exp: now() - 65 })],
    ["without an end", ({ exp: _, ...claims }) => claims],
    ["that is not valid for more than a minute yet", (claims) => ({ ...claims, nbf: now() + 70 })],
    ["of another issuer", (claims) => ({ ...claims, iss: "https://evil.example/" })],
    ["without an issuer", ({ iss: _, ...claims }) => claims],
    ["for another application", (claims) => ({ ...claims, aud: "another-client" })],
    ["without an audience", ({ aud: _, ...claims }) => claims],
    ["without anybody in it", ({ sub: _, ...claims }) => claims],
    ["with another nonce", (claims) => ({ ...claims, nonce: "A".repeat(43) })],
    ["without a nonce", ({ nonce: _, ...claims }) => claims],
    ["of another organisation", (claims) => ({ ...claims, org_id: "org_other" })],
    ["of no organisation", ({ org_id: _, ...claims }) => claims],
  ];
  test.each(refused)("%s is refused", async (_what, claims) => {
    hosted.provider.faults.claims = claims;
    const browser = hosted.browser();
    expectProblem(browser, await signInAtProvider(browser, hosted.person(), WANTED), "rejected");
  });

  const forged: [what: string, idToken: (claims: JWTPayload, genuine: string) => Promise<string> | string][] = [
    ["signed with another key under the right key's name", (claims) => signedByStranger(claims, { kid: "double-1" })],
    ["signed with a key that nobody knows", (claims) => signedByStranger(claims, { kid: "unknown" })],
    ["that brings its own key along", signedWithOwnKey],
    ["without a signature", (claims) => new UnsecuredJWT(claims).encode()],
    ["whose claims were changed after it was signed", changedAfterwards],
    ["signed with the application's secret", signedBySecret],
    ["that is none at all", () => "not.a.token"],
    ["that is empty", () => ""],
  ];
  test.each(forged)("%s is refused", async (_what, idToken) => {
    hosted.provider.faults.idToken = idToken;
    const browser = hosted.browser();
    expectProblem(browser, await signInAtProvider(browser, hosted.person(), WANTED), "rejected");
  });

  test("of a slightly slow clock is accepted", async () => {
    hosted.provider.faults.claims = (claims) => ({ ...claims, exp: now() - 45, nbf: now() + 45 });
    const page = await signInAtProvider(hosted.browser(), hosted.person(), WANTED);
    expect(page.url.href).toBe(`${hosted.origin}${WANTED}`);
  });

  test.each([
    ["without an address", ({ email: _, ...claims }: JWTPayload) => claims],
    ["with an empty address", (claims: JWTPayload) => ({ ...claims, email: "" })],
  ])("%s is refused, and the page says what is missing", async (_what, claims) => {
    hosted.provider.faults.claims = claims;
    const browser = hosted.browser();
    expectProblem(browser, await signInAtProvider(browser, hosted.person(), WANTED), "email");
  });

  test("that was refused does not affect the next attempt", async () => {
    hosted.provider.faults.claims = (claims) => ({ ...claims, aud: "another-client" });
    const browser = hosted.browser();
    const page = await signInAtProvider(browser, hosted.person(), WANTED);
    hosted.heal();
    const [, again = ""] = /<a class="button" href="([^"]+)"/.exec(page.text) ?? [];
    const next = await browser.open(again);
    expect([next.status, next.url.href]).toEqual([200, `${hosted.origin}${WANTED}`]);
  });

  async function signedByStranger(claims: JWTPayload, header: { kid: string }): Promise<string> {
    const { privateKey } = await generateKeyPair("RS256");
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", ...header }).sign(privateKey);
  }

  async function signedWithOwnKey(claims: JWTPayload): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "double-1", jwk }).sign(privateKey);
  }

  function changedAfterwards(claims: JWTPayload, genuine: string): string {
    const [header, , signature] = genuine.split(".");
    return [header, Buffer.from(JSON.stringify({ ...claims, sub: "auth0|admin" })).toString("base64url"), signature].join(".");
  }

  function signedBySecret(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "double-1" }).sign(Buffer.from(CLIENT_SECRET));
  }
});

describe("the redirect back from the provider", () => {
  test("with a used code does not sign in", async () => {
    const browser = hosted.browser();
    const callback = await callbackFor(browser);
    expect((await browser.open(callback)).url.href).toBe(`${hosted.origin}${WANTED}`);
    browser.cookies.delete("session");
    expectProblem(browser, await browser.open(callback), "expired");
  });

  test("in another browser does not sign in", async () => {
    const callback = await callbackFor(hosted.browser());
    const stranger = hosted.browser();
    expectProblem(stranger, await stranger.open(callback), "expired", "/runs");
  });

  test("with another user's code and state does not sign in, with or without an attempt of one's own", async () => {
    const callback = await callbackFor(hosted.browser());
    const victim = hosted.browser();
    const own = await callbackFor(victim);
    expectProblem(victim, await victim.open(callback), "expired", "/runs");
    const mixed = new URL(own);
    mixed.searchParams.set("code", callback.searchParams.get("code") ?? "");
    expectProblem(victim, await victim.open(mixed), "expired");
  });

  test.each<[what: string, query: string, problem: HostedProblem]>([
    ["without a state", "?code=abc", "rejected"],
    ["with an empty state", "?code=abc&state=", "rejected"],
    ["with nothing at all", "", "rejected"],
    ["with an error but no state", "?error=access_denied", "denied"],
    ["with an error and an empty state", "?error=access_denied&state=", "denied"],
    ["with a state that was never given out", "?code=abc&state=made-up", "expired"],
    ["with a state that no cookie could be named after", `?code=abc&state=${encodeURIComponent("a=b; c\r\nd")}`, "expired"],
  ])("%s does not sign in, and starts no attempt", async (_what, query, problem) => {
    const browser = hosted.browser();
    await browser.open(WANTED);
    const before = hosted.provider.authorizations.length;
    expectProblem(browser, await browser.open(`/auth/callback${query}`), problem, "/runs");
    expect(hosted.provider.authorizations.length).toBe(before);
  });

  test("without a code does not sign in", async () => {
    const browser = hosted.browser();
    const callback = await callbackFor(browser);
    callback.searchParams.delete("code");
    expectProblem(browser, await browser.open(callback), "expired");
  });

  test("after declining says so", async () => {
    const browser = hosted.browser();
    expectProblem(browser, await fillIn(browser, await browser.open(WANTED), hosted.person(), "deny"), "denied");
  });

  test("works for two attempts in one browser", async () => {
    const browser = hosted.browser();
    const first = await callbackFor(browser);
    const second = (await browser.get("/login?returnTo=/profile/email")).location ?? "";
    expect((await browser.open(first)).url.href).toBe(`${hosted.origin}${WANTED}`);
    expect((await browser.open(second)).url.href).toBe(`${hosted.origin}/profile/email`);
  });

  test("never leads to another site", async () => {
    const page = await hosted.browser().open("/login?problem=denied&returnTo=//evil.example");
    expect(page.status).toBe(200);
    const links = [...page.text.matchAll(/ href="([^"]+)"/g)].map(([, address]) => address);
    expect(links).toContain("/login?returnTo=%2Fruns");
    expect(links.join(" ")).not.toContain("evil");
  });

  test("with an unknown problem leads to the provider", async () => {
    expect(asksToSignIn(await hosted.browser().open("/login?problem=%3Cscript%3E"))).toBe(true);
  });
});

describe("a provider that fails", () => {
  test.each([500, 503, 429])("(%i) is named as the reason", async (status) => {
    hosted.provider.faults.tokenStatus = status;
    const browser = hosted.browser();
    expectProblem(browser, await signInAtProvider(browser, hosted.person(), WANTED), "unavailable");
  });

  test("and never answers runs into a time limit", async () => {
    hosted.provider.faults.silent = true;
    const browser = hosted.browser();
    expectProblem(browser, await signInAtProvider(browser, hosted.person(), WANTED), "unavailable");
  });

  test("and does not publish its keys is named as the reason, until it does", async () => {
    const fresh = await startHosted();
    try {
      fresh.provider.faults.keysStatus = 503;
      const [browser, user] = [fresh.browser(), fresh.person()];
      expectProblem(browser, await signInAtProvider(browser, user, WANTED), "unavailable");
      fresh.heal();
      expect((await browser.open(WANTED)).url.href).toBe(`${fresh.origin}${WANTED}`);
    } finally {
      await fresh.stop();
    }
  });

  test("before the code was exchanged is named as the reason", async () => {
    const fresh = await startHosted();
    try {
      const browser = fresh.browser();
      const callback = await callbackFor(browser, fresh.person());
      await fresh.provider.close();
      expectProblem(browser, await browser.open(callback), "unavailable");
    } finally {
      await fresh.stop();
    }
  });
});
