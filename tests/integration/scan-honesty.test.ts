import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scanner } from "~/scan/types";
import { reasonOf, testScanner, WCAG22AA } from "../support/scanner";
import { openSite, pageWith, type Site } from "../support/site";

const script = (code: string) => `<script>${code}</script>`;

describe("what was not seen is not called clean", () => {
  let site: Site;
  let scanner: Scanner;
  beforeAll(async () => {
    site = await openSite({
      "/slow-fetch": pageWith(script("fetch('/never').then(() => document.body.append('late'))")),
      "/never": () => {},
      "/busy": pageWith(script("onload = () => { const end = Date.now() + 9000; while (Date.now() < end); }")),
      "/part": { status: 206, body: pageWith("") },
      "/nowhere": { status: 302, body: pageWith("") },
      "/endless": pageWith(script("fetch('/x', { headers: { a: '\\x01'.repeat(95000000) } })")),
      "/good": pageWith(""),
    });
    scanner = testScanner();
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (path: string) => scanner.check({ url: site.url(path), standard: WCAG22AA });

  it.each(["/slow-fetch", "/busy"])("%s is said to be unfinished", async (path) => {
    expect(await check(path)).toMatchObject({ status: "succeeded", gaps: { unfinished: true } });
  });

  it.each(["/part", "/nowhere"])("%s is no page", async (path) => {
    expect(reasonOf(await check(path))).toBe("http_status");
  });

  it("a page that floods us with messages harms neither this process nor the next page", async () => {
    const flooding = await check("/endless");
    expect(flooding.status === "succeeded" || flooding.reason === "crashed").toBe(true);
    expect(await check("/good")).toMatchObject({ status: "succeeded", gaps: { unfinished: false } });
  }, 120_000);
});
