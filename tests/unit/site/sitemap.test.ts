import { describe, expect, it } from "vitest";
import { localeOf } from "~/platform/i18n/i18n.server";
import { LANGUAGE_PATHS, searchEntries, searchEntryOf } from "~/platform/i18n/search-pages";

const BASE = "https://rampe.example";

describe("search engines", () => {
  it("find each language of a page at its own path, and the same pair on both", () => {
    for (const { de, en } of LANGUAGE_PATHS) {
      const [german, english] = [searchEntryOf(BASE, de, "de"), searchEntryOf(BASE, en, "en")];
      expect([german?.canonical, english?.canonical]).toEqual([`${BASE}${de}`, `${BASE}${en}`]);
      expect(german?.alternates).toEqual(english?.alternates);
      expect(searchEntryOf(BASE, en, "de"), "a German page at the English path").toEqual(german);
    }
  });

  it("are not told of personal pages", () => {
    for (const path of ["/runs", "/run/a", "/check/a", "/shared/a", "/profile/general", "/setup", "/no/such/page"]) {
      expect(searchEntryOf(BASE, path, "de"), path).toBeNull();
    }
    const listed = searchEntries(BASE).map(({ canonical }) => canonical);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining([`${BASE}/`, `${BASE}/bfsg`, `${BASE}/sample`, `${BASE}/kontakt`, `${BASE}/contact`]));
  });
});

describe("the language of a page", () => {
  const asked = (path: string, headers: Record<string, string> = {}) => localeOf(new Request(`${BASE}${path}`, { headers }));

  it("is that of its path without another choice", async () => {
    expect(await Promise.all(["/contact", "/Kontakt/", "/bfsg/selbsttest", "/privacy", "/", "/bfsg"].map((path) => asked(path)))).toEqual(
      ["en", "de", "de", "en", "de", "de"],
    );
    expect(await asked("/contact", { "Accept-Language": "*" })).toBe("en");
  });

  it("is the one chosen by cookie, then by browser, on any path", async () => {
    expect(await asked("/contact", { "Accept-Language": "de-AT" })).toBe("de");
    expect(await asked("/kontakt", { "Accept-Language": "de", Cookie: "locale=en" })).toBe("en");
  });
});
