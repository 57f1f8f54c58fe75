import { describe, expect, it } from "vitest";
import { isProved, loginPath } from "~/accounts/guard.server";
import { signInTarget } from "~/platform/http/return-to";

const ORIGIN = "https://rampe.example";

describe("after signing in", () => {
  it.each([
    "/runs",
    "/setup",
    "/profile/general",
    "/check/abc?x=1#y",
    "/account/verify?token=abc",
    "/pricing?next=//evil.example",
    "/logins",
    "/registered",
    "/authors",
    "/check/login",
    "/runs?from=/login",
  ])("the user returns to %j", (path) => {
    expect(signInTarget(path)).toBe(path);
  });

  it.each(["/runs", "/check/a%20b?q=%26x&y=ä#z", "/account/verify?token=a-b_c", "/%2f%2fevil.example"])(
    "the log-in page keeps %j",
    (path) => {
      const onLoginPage = new URL(loginPath(path), ORIGIN).searchParams.get("returnTo");
      expect(new URL(signInTarget(onLoginPage), ORIGIN).href).toBe(new URL(path, ORIGIN).href);
    },
  );

  it.each([null, undefined, "", "/", "//", "/?", "runs", 1, {}, ["/setup"]])("%j leads to the scans", (target) => {
    expect(new URL(signInTarget(target), ORIGIN).pathname).toMatch(/^\/(runs)?$/);
  });

  it.each([
    "https://evil.example/",
    "HTTPS:evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example/%2f..",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "/\u0000/evil.example",
    "\u0001//evil.example",
    " //evil.example",
    "\u00a0//evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/%2e//evil.example",
    "/%2E%2E//evil.example",
    "/x/..//evil.example",
    "/x/%2e%2e/\\evil.example",
    "/login/..//evil.example",
    "/%2f/evil.example",
    "/%2fevil.example",
    "/%5cevil.example",
    "%2f%2fevil.example",
    "/%09/evil.example",
    "/%0d%0aLocation:%20//evil.example",
    "/@evil.example",
    "//rampe.example@evil.example",
    "/：//evil.example",
    "/／evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "/javascript:alert(1)",
  ])("%j does not lead to another site", (target) => {
    const path = signInTarget(target);
    expect(path).toMatch(/^\/(?![/\\])/);
    expect(path).not.toMatch(/[\p{Cc}\\]/u);
    expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
  });

  it.each([
    "/login",
    "/login/",
    "/login?returnTo=/runs",
    "/login?returnTo=%2Flogin%3FreturnTo%3D%252Flogin",
    "/login#x",
    "/logout",
    "/logout/",
    "/register",
    "/register?x",
    "/auth/callback?code=1&state=2",
    "/auth",
    "/./login",
    "/runs/../logout",
    "/%2e/logout",
    "/\tlogin",
    "/lo\ngin",
  ])("%j does not lead in a circle or to a sign-out", (target) => {
    expect(signInTarget(target)).toBe("/runs");
  });
});

it("a hosted account cannot be changed without its provider; a local one needs its password", async () => {
  const provedWith = (subject: string | null) => {
    const context = { visitor: { session: async () => ({ user: { subject }, tokens: { provedAt: Date.now() } }) }, services: { hosted: null } };
    return isProved({ context } as unknown as Parameters<typeof isProved>[0]);
  };
  expect([await provedWith("auth0|ada"), await provedWith(null)]).toEqual([false, true]);
});
