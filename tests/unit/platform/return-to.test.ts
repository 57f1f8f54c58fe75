import { describe, expect, it } from "vitest";
import { safeReturnTo } from "~/platform/http/return-to";

describe("return targets", () => {
  it.each(["/", "/check/abc", "/check/abc?x=1#y", "/wcag?q=//evil.example"])("keeps %j", (path) => {
    expect(safeReturnTo(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "check",
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/./\\evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "javascript:alert(1)",
    "http:evil.example",
    "//user@evil.example",
    "/\\\\@evil.example",
  ])("never leaves the site for %j", (target) => {
    const path = safeReturnTo(target);
    expect(new URL(path, "https://rampe.example").origin).toBe("https://rampe.example");
    expect(path).toMatch(/^\/(?![/\\])/);
  });

  it("cannot add a header line", () => {
    expect(safeReturnTo("/a\r\nSet-Cookie: x=1")).not.toMatch(/[\r\n]/);
  });
});
