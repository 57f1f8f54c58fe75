import { describe, expect, it } from "vitest";
import { preferredLanguage } from "~/platform/i18n/accept-language";
import { sanitizeUntrustedData, sanitizeUntrustedText } from "~/findings/untrusted-text";
import { knownLanguage } from "~/platform/i18n/language-tag";

describe("text of a checked page", () => {
  it("keeps readable characters of any script", () => {
    const text = "Größe 漢字 🎉 \u200Fעברית\u200E\n\tx";
    expect(sanitizeUntrustedText(text, 100)).toBe(text);
  });

  it("makes invisible and direction-changing characters visible", () => {
    expect(sanitizeUntrustedText("a\u202Egpj.exe\u2066\u0000\u001B", 100)).toBe("a⟨U+202E⟩gpj.exe⟨U+2066⟩⟨U+0000⟩⟨U+001B⟩");
  });

  it("is well-formed, also if the page's text is not, or the cut is inside a character", () => {
    expect(sanitizeUntrustedText("\uD83D", 10)).toBe("\uFFFD");
    expect(sanitizeUntrustedText("ab🎉", 3)).toBe("ab\uFFFD…");
  });

  it("is cut with a mark", () => {
    expect(sanitizeUntrustedText("x".repeat(1_000_000), 5)).toBe("xxxxx…");
  });

  it("is treated the same at any depth of data", () => {
    expect(sanitizeUntrustedData({ a: ["\u202E", { b: "xyz" }], n: 1, z: null }, 2)).toEqual({
      a: ["⟨U+202E⟩", { b: "xy…" }],
      n: 1,
      z: null,
    });
  });
});

describe("a page's language", () => {
  it.each([
    ["de", "de"],
    ["DE-at", "de-AT"],
    ["zh-hant", "zh-Hant"],
    ["de_DE", ""],
    ["not a lang", ""],
    ['"><script>', ""],
    ["xx", ""],
    ["", ""],
  ])("%j becomes %j", (tag, known) => {
    expect(knownLanguage(tag)).toBe(known);
  });
});

describe("Accept-Language", () => {
  const languages = ["de", "en"] as const;

  it.each([
    ["de", "de"],
    ["en-GB", "en"],
    ["EN", "en"],
    ["fr-FR,fr;q=0.9,en;q=0.8", "en"],
    ["nl,en-US;q=0.7", "en"],
    ["en;q=0.5,de;q=0.9", "de"],
    ["de;q=0,en", "en"],
    ["de;q=0", null],
    ["fr", null],
    ["*", null],
    ["", null],
    [";;;,q=", null],
    [null, null],
  ])("%j means %j", (header, language) => {
    expect(preferredLanguage(header, languages)).toBe(language);
  });
});
