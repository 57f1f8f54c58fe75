import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import common from "locales/en/common.json";
import { asksToSignIn, fillIn, signInAtProvider, startHosted, type HostedServer } from "../../support/accounts/hosted";

let hosted: HostedServer;
beforeAll(async () => {
  hosted = await startHosted();
});
afterEach(() => hosted.heal());
afterAll(() => hosted.stop());

/** Starts recording; returns a function that lists the application's requests to the provider since then. */
function listen(): () => string[] {
  const { requests } = hosted.provider;
  const before = requests.length;
  return () => requests.slice(before);
}

const REFRESH = "POST /oauth/token refresh_token";
const times = (requests: string[], wanted: string) => requests.filter((request) => request === wanted).length;

/** User with an expired access token; no page was opened that would have renewed it. */
async function signedInBefore() {
  const [browser, user] = [hosted.browser(), hosted.person()];
  hosted.provider.faults.expiresIn = 0;
  await signInAtProvider(browser, user, "/login?returnTo=/contact");
  hosted.heal();
  return { browser, user };
}

describe("an expired access token", () => {
  test("is renewed once for many concurrent requests", async () => {
    const { browser, user } = await signedInBefore();
    user.name = "Renamed Meanwhile";
    const asked = listen();
    const pages = await Promise.all(Array.from({ length: 10 }, () => browser.open("/profile/general")));
    for (const page of pages) expect([page.status, page.visited.length]).toEqual([200, 1]);
    expect(asked()).toEqual([REFRESH]);
    expect((await browser.open("/profile/general")).words).toContain("Renamed Meanwhile");
    expect(asked(), "the new one is used").toEqual([REFRESH]);
  });

  test("is renewed again with the latest refresh token", async () => {
    const { browser } = await signedInBefore();
    hosted.provider.faults.expiresIn = 0;
    const asked = listen();
    for (let visit = 1; visit <= 3; visit += 1) {
      const page = await browser.open("/profile/general");
      expect([page.status, page.visited.length]).toEqual([200, 1]);
    }
    expect(asked()).toEqual([REFRESH, REFRESH, REFRESH]);
  });

  test("does not end the session while the provider is down: the page names the cause, and later the session continues", async () => {
    const { browser, user } = await signedInBefore();
    const session = browser.cookies.get("session");
    hosted.provider.faults.tokenStatus = 500;
    const asked = listen();
    const page = await browser.open("/profile/general");
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(page.words).toContain(common.errors.signInDown.title);
    expect(page.words).not.toContain(common.errors.broken.title);
    expect(asked()).toEqual([REFRESH, REFRESH, REFRESH]);
    hosted.heal();
    const later = await browser.open("/profile/general");
    expect([later.status, later.visited.length]).toEqual([200, 1]);
    expect(later.words).toContain(user.email);
    expect(browser.cookies.get("session")).toBe(session);
  });
});

describe("a refused refresh token", () => {
  test("leads to one silent sign-in if the user is still signed in at the provider", async () => {
    const { browser, user } = await signedInBefore();
    hosted.provider.endRefreshTokens();
    const asked = listen();
    const page = await browser.open("/profile/name?x=1");
    expect([page.status, page.url.href]).toEqual([200, `${hosted.origin}/profile/name?x=1`]);
    expect(page.text).toContain(`value="${user.name}"`);
    expect(times(asked(), "GET /authorize")).toBe(1);
    expect(hosted.provider.authorizations.at(-1)?.prompt).toBe("none");
    expect(asked().some((request) => request.includes("/u/"))).toBe(false);
  });

  test("leads to the provider's form otherwise, after one silent attempt", async () => {
    const { browser, user } = await signedInBefore();
    hosted.provider.endRefreshTokens();
    hosted.provider.endSessions();
    const asked = listen();
    const form = await browser.open("/profile/name?x=1");
    expect(asksToSignIn(form)).toBe(true);
    expect(times(asked(), "GET /authorize")).toBe(2);
    expect(hosted.provider.authorizations.slice(-2).map(({ prompt }) => prompt)).toEqual(["none", undefined]);
    const page = await fillIn(browser, form, user);
    expect(page.url.href).toBe(`${hosted.origin}/profile/name?x=1`);
  });

  test("has the same effect as a missing one", async () => {
    hosted.provider.faults.noRefreshToken = true;
    const { browser } = await signedInBefore();
    const asked = listen();
    const page = await browser.open("/profile/general");
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/general"]);
    expect(asked()).not.toContain(REFRESH);
    expect(times(asked(), "GET /authorize")).toBe(1);
  });

  test.each([
    ["still signed in at the provider", false],
    ["signed in nowhere", true],
  ])("does not lose the form of a user who is %s", async (_who, nowhere) => {
    const { browser, user } = await signedInBefore();
    const name = user.name;
    hosted.provider.endRefreshTokens();
    if (nowhere) hosted.provider.endSessions();
    const answer = await browser.submit("/profile/name", { name: "Typed Too Late" });
    expect(asksToSignIn(answer)).toBe(nowhere);
    const page = nowhere ? await fillIn(browser, answer, user) : answer;
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/name"]);
    expect(page.text).toContain('value="Typed Too Late"');
    expect(page.words).toContain(common.form.kept);
    expect(user.name).toBe(name);
    await browser.submit("/profile/name", { name: "Typed Too Late" });
    expect(user.name).toBe("Typed Too Late");
  });

  test("does not show the form to another user who signs in instead", async () => {
    const { browser } = await signedInBefore();
    hosted.provider.endRefreshTokens();
    hosted.provider.endSessions();
    const form = await browser.submit("/profile/name", { name: "Not For Others" });
    const page = await fillIn(browser, form, hosted.person({ name: "Somebody Else" }));
    expect([page.status, page.url.pathname]).toEqual([200, "/profile/name"]);
    expect(page.text).toContain('value="Somebody Else"');
    expect(page.text).not.toContain("Not For Others");
  });
});

describe("there is no redirect loop", () => {
  test("with very short-lived access tokens and no refresh token", async () => {
    Object.assign(hosted.provider.faults, { expiresIn: 30, noRefreshToken: true });
    const browser = hosted.browser();
    const page = await signInAtProvider(browser, hosted.person());
    expect(page.status).toBe(200);
    expect(page.visited.filter(({ pathname }) => pathname === "/authorize").length).toBeLessThanOrEqual(1);
  });

  test("if a renewed session names another organisation; the error page does not repeat for ever", async () => {
    const { browser, user } = await signedInBefore();
    hosted.provider.faults.claims = (claims) => ({ ...claims, org_id: "org_other" });
    const page = await browser.open("/profile/general");
    expect(page.words).not.toContain(user.email);
    expect([page.status, page.url.pathname]).toEqual([200, "/login"]);
    expect(page.url.searchParams.get("problem")).toBe("rejected");
  });

  test("if the result of a silent sign-in is refused", async () => {
    const { browser } = await signedInBefore();
    hosted.provider.endRefreshTokens();
    hosted.provider.faults.claims = (claims) => ({ ...claims, org_id: "org_other" });
    const page = await browser.open("/profile/general");
    expect([page.status, page.url.pathname]).toEqual([200, "/login"]);
    expect(page.url.searchParams.get("problem")).toBe("rejected");
  });

  test("after declining at the provider", async () => {
    const { browser, user } = await signedInBefore();
    hosted.provider.endRefreshTokens();
    hosted.provider.endSessions();
    const page = await fillIn(browser, await browser.open("/profile/general"), user, "deny");
    expect([page.status, page.url.pathname]).toEqual([200, "/login"]);
    expect(page.url.searchParams.get("problem")).toBe("denied");
  });
});
