import { describe, expect, test } from "vitest";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { crawled, numbered } from "../../support/scan/fake-crawl";

describe("traps are skipped and reported", () => {
  test("a calendar without end", async () => {
    const month = /^\/calendar\?month=(\d+)-(\d+)$/;
    const { outcomes, facts } = await crawled({
      maxPages: 100,
      pages: { "/": { links: ["/calendar?month=2026-01", "/about"] }, "/about": {} },
      other: (path) => {
        const [, year, number] = month.exec(path) ?? [];
        if (!number) return undefined;
        return { links: [`/calendar?month=${new Date(Date.UTC(Number(year), Number(number), 1)).toISOString().slice(0, 7)}`] };
      },
    });
    expect(outcomes.length).toBeLessThan(25);
    expect(outcomes).toContain("/about succeeded");
    expect(facts.traps).toHaveLength(1);
    expect(facts.traps[0]?.example).toContain("/calendar?month=");
    expect(facts.traps[0]?.count).toBeGreaterThan(0);
  });

  test("paths that grow without end", async () => {
    const { outcomes, facts } = await crawled({
      pages: { "/": { links: ["/a/"] } },
      other: (path) => (/^\/(a\/)+$/.test(path) ? { links: [`${path}a/`] } : undefined),
    });
    expect(outcomes.length).toBeLessThan(16);
    expect(facts.traps.map(({ kind }) => kind)).toEqual(["path"]);
  });

  test("endless combinations of parameters", async () => {
    const { outcomes, facts } = await crawled({
      maxPages: 200,
      pages: { "/": { links: ["/shop?colour=1&size=1&brand=1"] } },
      other: (path) => {
        const [, search] = /^\/shop\?(.+)$/.exec(path) ?? [];
        if (!search) return undefined;
        const links = ["colour", "size", "brand"].map((name) => {
          const next = new URLSearchParams(search);
          next.set(name, String(Number(next.get(name)) + 1));
          return `/shop?${next.toString()}`;
        });
        return { links };
      },
    });
    expect(outcomes.length).toBeLessThan(60);
    expect(facts.traps.length).toBeGreaterThan(0);
  });

  test("many pages of one kind are not a trap", async () => {
    const { outcomes, facts } = await crawled({ maxPages: 100, pages: { "/": { links: numbered(40, "/index.php?id=") } }, other: () => ({}) });
    expect(outcomes).toHaveLength(41);
    expect(facts.traps).toEqual([]);
  });
});

test("different kinds of pages come before more of the same, and the page limit is reported", async () => {
  const { outcomes, facts } = await crawled({
    maxPages: 8,
    pages: { "/": { links: [...numbered(30, "/products/item-number-"), "/about", "/contact", "/blog/first-post"] } },
    other: () => ({}),
  });
  expect(outcomes).toHaveLength(8);
  expect(outcomes).toEqual(expect.arrayContaining(["/about succeeded", "/contact succeeded", "/blog/first-post succeeded"]));
  expect(facts).toMatchObject({ pages: 8, limited: true, maxPages: 8, waiting: 26 });
});

test("only a few pages of a site are open at once, also with several crawls", async () => {
  const throttles = createHostThrottles();
  let [open, most] = [0, 0];
  const load = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 10));
    open -= 1;
  };
  const crawlAgain = () => crawled({ pages: { "/": { links: numbered(9, "/page-") } }, other: () => ({}), throttles, parallel: 8, load });
  const crawls = await Promise.all([crawlAgain(), crawlAgain(), crawlAgain()]);
  expect(crawls.flatMap(({ outcomes }) => outcomes)).toHaveLength(30);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});
