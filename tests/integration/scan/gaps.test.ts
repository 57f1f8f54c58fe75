import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scanner } from "~/scan/types";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const script = (code: string) => `<script>${code}</script>`;

/** Most tests wait for incomplete pages; the last one needs the processor, and runs alone. */
describe("unchecked content is not called clean", () => {
  let site: Site;
  let scanner: Scanner;
  beforeAll(async () => {
    site = await openSite({
      "/slow-fetch": pageWith(script("fetch('/never').then(() => document.body.append('late'))")),
      "/never": () => {},
      "/busy": pageWith(script("onload = () => { const end = Date.now() + 25000; while (Date.now() < end); }")),
      "/part": { status: 206, body: pageWith("") },
      "/nowhere": { status: 302, body: pageWith("") },
      "/endless": pageWith(script("fetch('/x', { headers: { a: '\\x01'.repeat(95000000) } })")),
      "/good": pageWith(""),
      "/lazy": pageWith(
        `<div style="height: 9000px"></div><iframe loading="lazy" title="Far" src="/in"></iframe>` +
          `<iframe title="Empty"></iframe><iframe title="Near" src="/in"></iframe>`,
      ),
      "/late": pageWith(
        `<iframe title="Late" src="/never"></iframe><iframe id="written" title="Written"></iframe>` +
          script("written.contentDocument.body.innerHTML = '<img id=in src=data:,>'"),
      ),
      "/plugins": pageWith(
        `<object data="/in" type="text/html" aria-label="In"></object><embed src="/in?2" type="text/html">` +
          `<object data="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" aria-label="x"></object>`,
      ),
      "/closed": pageWith(
        `<div id="scripted"></div><my-element></my-element><my-other>Text</my-other><p style="height: 20px"></p>` +
          `<section><template shadowrootmode="closed"><p>In</p></template></section>` +
          script(
            "for (const host of [scripted, document.querySelector('my-element')]) host.attachShadow({ mode: 'closed' }).innerHTML = '<p>In</p>'",
          ),
      ),
      "/broken-xhtml": {
        headers: { "content-type": "application/xhtml+xml" },
        body: `<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>X</title></head><body><img src="data:,"/><b></body></html>`,
      },
      "/map.svg": {
        headers: { "content-type": "image/svg+xml" },
        body: `<svg xmlns="http://www.w3.org/2000/svg" lang="en" viewBox="0 0 200 200"><title>Map</title>
          <a href="/in"><text x="5" y="20">Station</text></a><g role="button" tabindex="0"><rect y="40" width="50" height="50"/></g></svg>`,
      },
      "/sandboxed": { headers: { "content-security-policy": "sandbox" }, body: pageWith(script("")) },
      "/long-selector": pageWith(
        script("const img = new Image(); img.id = 'x'.repeat(1e6); img.src = 'data:,'; document.body.append(img)"),
      ),
      "/in": pageWith("In"),
    });
    scanner = testScanner();
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (path: string) => scanner.check({ url: site.url(path), standard: WCAG22AA });

  it.concurrent.each(["/slow-fetch", "/busy"])("%s is reported as unfinished", async (path) => {
    expect(await check(path)).toMatchObject({ status: "succeeded", gaps: { unfinished: true } });
  });

  it.concurrent.each(["/part", "/nowhere"])("%s is not a page", async (path) => {
    expect(reasonOf(await check(path))).toBe("http_status");
  });

  const gapsOf = async (path: string) => expectChecked(await check(path)).gaps;

  it.concurrent("an SVG document with links and widgets is a page, with pictures of its elements", async () => {
    const map = expectChecked(await scanner.check({ url: site.url("/map.svg"), standard: WCAG22AA, pictures: true }));
    expect(map).toMatchObject({ title: "Map", lang: "en", gaps: { unfinished: false } });
    const rule = map.findings.violations.find(({ ruleId }) => ruleId === "aria-command-name");
    expect(rule?.elements[0]).toMatchObject({ target: ["g"], picture: expect.any(Uint8Array) });
  });

  it.concurrent("frames that have not loaded are named, and content written into a frame by scripts is checked", async () => {
    // A lazy frame loads when the page is scrolled.
    expect(await gapsOf("/lazy")).toMatchObject({ frames: [], unfinished: false });
    const late = await check("/late");
    expect(violationsOf(late)).toContain("image-alt #written >> #in");
    expect(expectChecked(late).gaps.frames).toEqual([site.url("/never")]);
  });

  it.concurrent("documents in objects and embeds are named", async () => {
    expect((await gapsOf("/plugins")).frames).toEqual([site.url("/in"), site.url("/in?2")]);
  });

  it.concurrent("closed shadow roots are counted", async () => {
    expect((await gapsOf("/closed")).closedShadowRoots).toBe(3);
    expect((await gapsOf("/good")).closedShadowRoots).toBe(0);
  });

  it.concurrent("incomplete XHTML is reported as unfinished", async () => {
    expect((await gapsOf("/broken-xhtml")).unfinished).toBe(true);
  });

  it.concurrent("a page whose scripts may not run is not unfinished", async () => {
    expect((await gapsOf("/sandboxed")).unfinished).toBe(false);
  });

  it.concurrent("an overlong selector is cut", async () => {
    const [, long] = violationsOf(await check("/long-selector"));
    expect(long).toMatch(/^image-alt #x{2000,2050}…$/);
  });

  it("a page that sends endless messages harms neither this process nor the next page", async () => {
    const flooding = await check("/endless");
    expect(["succeeded", "crashed", "timeout", "too_large"]).toContain(reasonOf(flooding));
    expect(await check("/good")).toMatchObject({ status: "succeeded", gaps: { unfinished: false } });
  });
});
