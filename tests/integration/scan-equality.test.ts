import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openComparer, type Comparer } from "../support/compare-with-axe";
import { openSite, type Site } from "../support/site";

const folder = fileURLToPath(new URL("../support/pages/", import.meta.url));
const pages = readdirSync(folder);

describe.each([
  ["in one process", []],
  ["in a process for each site", ["--site-per-process"]],
])("our analysis finds what plain axe-core finds on the same loaded page (%s)", (_name, browserArgs) => {
  let site: Site;
  let comparer: Comparer;

  beforeAll(async () => {
    site = await openSite(
      Object.fromEntries(
        pages.map((name) => {
          const type = name.endsWith(".xhtml") ? "application/xhtml+xml" : "text/html; charset=utf-8";
          return [`/${name}`, { headers: { "content-type": type }, body: readFileSync(folder + name) }];
        }),
      ),
    );
    comparer = await openComparer(browserArgs);
  });
  afterAll(async () => {
    await comparer.close();
    await site.close();
  });

  it.each(pages)("%s, level AA", async (name) => {
    const { ours, axe } = await comparer.compare(site.url(`/${name}`), { version: "2.2", level: "AA" });
    expect(Object.keys(axe).length).toBeGreaterThan(20);
    expect(ours).toEqual(axe);
  });

  it.each(pages)("%s, level AAA", async (name) => {
    const { ours, axe } = await comparer.compare(site.url(`/${name}`), { version: "2.1", level: "AAA" });
    expect(ours).toEqual(axe);
  });
});
