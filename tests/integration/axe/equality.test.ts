import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openComparer, type Comparer } from "../../support/scan/compare-with-axe";
import { randomMarkup } from "../../support/scan/random-markup";
import { repetitions } from "../../support/repetitions";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const folder = fileURLToPath(new URL("../../support/scan/pages/", import.meta.url));
const pages = readdirSync(folder);

const seeds = Array.from({ length: repetitions(3, 12) }, (_, index) => index + 1);

const files = Object.fromEntries(
  pages.map((name) => {
    const type = name.endsWith(".xhtml") ? "application/xhtml+xml" : "text/html; charset=utf-8";
    return [`/${name}`, { headers: { "content-type": type }, body: readFileSync(folder + name) }];
  }),
);

describe("our analysis finds the same as plain axe-core on the same loaded page", () => {
  let site: Site;
  let inOneProcess: Comparer;
  let inManyProcesses: Comparer;

  beforeAll(async () => {
    const audio =
      '<audio autoplay src="data:audio/mpeg,broken"></audio><audio autoplay src="/missing.mp3"></audio>';
    site = await openSite({ ...files, "/broken-media": pageWith(audio), ...randomPages() });
    inOneProcess = await openComparer();
    inManyProcesses = await openComparer(["--site-per-process"]);
  });
  afterAll(async () => {
    await inOneProcess.close();
    await inManyProcesses.close();
    await site.close();
  });

  it.each(pages)("%s", async (name) => {
    const { ours, axe } = await inOneProcess.compare(site.url(`/${name}`), { version: "2.2", level: "AA" });
    expect(Object.keys(axe).length).toBeGreaterThan(20);
    expect(ours).toEqual(axe);
  });

  it.each(pages)("%s, with one process per site, up to level AAA", async (name) => {
    const { ours, axe } = await inManyProcesses.compare(site.url(`/${name}`), {
      version: "2.1",
      level: "AAA",
    });
    expect(ours).toEqual(axe);
  });

  it.each(seeds)("random page %i", async (seed) => {
    const standard = { version: "2.2", level: "AAA" } as const;
    const { ours, axe } = await inOneProcess.compare(site.url(`/random-${seed}`), standard);
    expect(Object.keys(axe).length).toBeGreaterThan(20);
    expect(ours).toEqual(axe);
  });

  it("does not wait for sound that failed to load, unlike axe, and finds the same", async () => {
    const { ours, axe, oursMs } = await inOneProcess.compare(site.url("/broken-media"), {
      version: "2.2",
      level: "AA",
    });
    expect(Object.keys(axe)).toContain("incomplete no-autoplay-audio moderate 2");
    expect(ours).toEqual(axe);
    expect(oursMs).toBeLessThan(5_000);
  });
});

/** Combines several small documents, so that a page has much content. */
function randomPages(): Record<string, string> {
  return Object.fromEntries(
    seeds.map((seed) => {
      const bodies = Array.from({ length: 12 }, (_, part) => randomMarkup(seed * 1_000 + part));
      return [`/random-${seed}`, `<!doctype html><title>Random</title>${bodies.join("<hr>")}`];
    }),
  );
}
