import { describe, expect, test } from "vitest";
import { isSelector } from "~/findings/css-selector";

describe("a CSS selector is validated without a browser", () => {
  test.each([
    ...["#content", "main .list > li + li ~ a", "*", "a, b", "x-late", ".a.b#c", "html[data-ready]", `[data-x="a]b"]`, "[lang|=de i]"],
    ...["li:nth-child(2n + 1)", ":is(main, [role=main]):not(:empty)", "div:has(> img)", "p::first-line", "#\\31 0", ".größe", " #a "],
  ])("%s", (text) => expect(isSelector(text)).toBe(true));

  test.each([
    ...["", " ", "#", ".", "1a", "a >", "> a", "a,,b", "a, ", "a {", "a;b", "<main>", "[", "[a", "[a=]", "[a=b c]", ":not(", ":not(1)", "a)"],
    ...["//main", "$('a')", "a\u0000b", "::", `"main"`, "a".repeat(301)],
  ])("%j is not a selector", (text) => expect(isSelector(text)).toBe(false));

  test("any text is judged quickly", () => {
    const begun = performance.now();
    for (const part of ["((((", "a ", ":not(", "\\", "[a=", "'", ":is(a", "\\aaaaaa"]) {
      isSelector(part.repeat(300 / part.length));
      isSelector(`[${part.repeat(299 / part.length)}`);
    }
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
