import { describe, expect, test } from "vitest";
import { pageKey } from "~/scan/crawl/addresses/address";
import type { Frontier, KnownAddress } from "~/scan/crawl/frontier";
import { drained, frontierWith, link, ORIGIN, pathOf, range, started, walk } from "../../support/scan/frontier";

describe("each page is found once", () => {
  test("different addresses of one page count once", () => {
    const { frontier, start } = started();
    const found = link(frontier, start, ["/a", "/a/", "/a#x", "/b?utm_source=y", "/", "/index.html", "/a?sort=x"]);
    expect(found.map(pathOf)).toEqual(["/a", "/b"]);
    expect(found[0]).toEqual({ url: `${ORIGIN}/a`, key: "example.com/a", depth: 1, chain: 0, source: "link", linkedFrom: start.url });
    expect(link(frontier, start, ["http://www.example.com/a"])).toEqual([]);
    expect(frontier).toMatchObject({ known: 3, waiting: 2 });
  });

  test("documents that are not pages are counted, each address once", () => {
    const { frontier, start } = started();
    const links = ["/a.pdf", "/b.jpg", "https://elsewhere.example/", "mailto:a@example.com", "/c"];
    expect(link(frontier, start, [...links, ...links]).map(pathOf)).toEqual(["/c"]);
    expect(frontier.skipped()).toEqual({ files: 2, overflow: 0, excluded: 0 });
  });

  test("an address in a sitemap counts as a page, whatever its extension", () => {
    const { frontier, start } = started();
    expect(link(frontier, start, ["/wiki/Node.js"])).toEqual([]);
    const found = frontier.add({ urls: [`${ORIGIN}/wiki/Node.js`], source: "sitemap" });
    expect(found.map(pathOf)).toEqual(["/wiki/Node.js"]);
  });

  test("addresses above the limit are counted, but not kept", () => {
    const { frontier, start } = started(3);
    expect(link(frontier, start, ["/a", "/b", "/c", "/d", "/d"]).map(pathOf)).toEqual(["/a", "/b"]);
    expect(frontier.skipped().overflow).toBe(2);
    expect(frontier.known).toBe(3);
  });

  test("a start page is kept, whatever its extension", () => {
    const frontier = frontierWith();
    const [start] = frontier.add({ urls: [`${ORIGIN}/report.pdf`], source: "start" });
    expect(start).toMatchObject({ depth: 0, source: "start" });
  });

  test("depth counts clicks; sitemap entries have depth 1, a canonical address the depth of its page", () => {
    const { frontier, start } = started();
    const [a] = link(frontier, start, ["/a"]);
    const [b] = link(frontier, a as KnownAddress, ["/b"]);
    const [c] = frontier.add({ urls: [`${ORIGIN}/c`], source: "canonical", from: b });
    const [d] = frontier.add({ urls: [`${ORIGIN}/d`], source: "sitemap" });
    expect([a, b, c, d].map((each) => each?.depth)).toEqual([1, 2, 2, 1]);
  });
});

describe("a crawl shows different kinds of pages early", () => {
  test("pages close to the start come first, different templates before more of the same", () => {
    const { frontier, start } = started();
    const products = range(5).map((index) => `/products/item-${index}`);
    link(frontier, start, [...products, "/about", "/contact"]);
    link(frontier, start, ["/blog/first"]);
    expect(drained(frontier)).toEqual([
      "/products/item-0",
      "/about",
      "/contact",
      "/blog/first",
      ...products.slice(1),
    ]);
  });

  test("a page of a new kind, one click deeper, comes before the third page of a known kind", () => {
    const { frontier, start } = started();
    const [first] = link(frontier, start, range(6).map((index) => `/p/x-${index}`));
    frontier.next();
    link(frontier, first as KnownAddress, ["/deep/one"]);
    expect(drained(frontier)).toEqual(["/p/x-1", "/deep/one", "/p/x-2", "/p/x-3", "/p/x-4", "/p/x-5"]);
  });

  test("of one kind, pages with fewer clicks come first, even if found later", () => {
    const { frontier, start } = started();
    const [a] = link(frontier, start, ["/a"]);
    link(frontier, a as KnownAddress, ["/p/far"]);
    link(frontier, start, ["/p/near"]);
    expect(drained(frontier)).toEqual(["/a", "/p/near", "/p/far"]);
  });

  test("an address that is put back is returned again", () => {
    const { frontier, start } = started();
    link(frontier, start, ["/p/x-1", "/p/x-2", "/about"]);
    const first = frontier.next() as KnownAddress;
    frontier.putBack(first);
    frontier.putBack(first);
    expect(frontier.waiting).toBe(3);
    expect(drained(frontier)).toEqual(["/p/x-1", "/about", "/p/x-2"]);
    expect(frontier.waiting).toBe(0);
    expect(frontier.next()).toBeUndefined();
  });
});

describe("a page belongs to one visit", () => {
  test("the first visit that reaches a page owns it, and the page needs no further visit", () => {
    const { frontier, start } = started();
    const [one, two] = link(frontier, start, ["/one", "/two", "/target"]) as [KnownAddress, KnownAddress];
    frontier.next();
    expect(frontier.claim(`${ORIGIN}/target/`, one)).toBe(true);
    expect(frontier.claim(`${ORIGIN}/target`, one)).toBe(true);
    expect(frontier.waiting).toBe(1);
    frontier.next();
    expect(frontier.claim(`${ORIGIN}/target`, two)).toBe(false);
    expect(frontier.next()).toBeUndefined();
  });

  test("a page that is visited, or was, cannot be claimed by another visit", () => {
    const { frontier, start } = started();
    const [one, two] = link(frontier, start, ["/one", "/two"]) as [KnownAddress, KnownAddress];
    frontier.next();
    frontier.next();
    expect(frontier.claim(one.url, two)).toBe(false);
    expect(frontier.claim(one.url, one)).toBe(true);
    expect(frontier.claim(start.url, one)).toBe(false);
  });

  test("a claimed page that was unknown is not found again", () => {
    const { frontier, start } = started();
    const [one] = link(frontier, start, ["/one"]) as [KnownAddress];
    expect(frontier.claim(`${ORIGIN}/new`, one)).toBe(true);
    expect(link(frontier, start, ["/new"])).toEqual([]);
  });

  test("a page that was put back can be claimed", () => {
    const { frontier, start } = started();
    const [one, two] = link(frontier, start, ["/one", "/two"]) as [KnownAddress, KnownAddress];
    frontier.next();
    frontier.putBack(one);
    expect(frontier.claim(one.url, two)).toBe(true);
    expect(drained(frontier)).toEqual(["/two"]);
  });
});

describe("sites without traps lose no page", () => {
  const expectAll = (paths: string[], linksOf: (path: string) => string[]) => {
    const { frontier, visited } = walk(linksOf);
    expect(frontier.traps()).toEqual([]);
    expect([...visited].sort()).toEqual([...paths, "/"].sort());
  };

  test("pages that differ by an id", () => {
    const ids = range(200, 1).map((id) => `/index.php?id=${id}`);
    // Tree; every page also links to its parent and to the main navigation.
    expectAll(ids, (path) => {
      const id = Number(/\d+/.exec(path)?.[0] ?? 0);
      return [...range(5, 5 * id + 1).filter((child) => child <= 200), 1, 2, 3]
        .map((child) => `/index.php?id=${child}`)
        .concat(["/index.php"]);
    });
  });

  test("pages in several languages that differ by an id", () => {
    const paths = range(30, 1).flatMap((id) => range(9).map((language) => `/?id=${id}&L=${language}`));
    expectAll(paths, () => paths);
  });

  test("several views of each product", () => {
    const paths = range(60, 1).flatMap((id) => ["specs", "reviews", "photos", "help"].map((tab) => `/p?id=${id}&tab=${tab}`));
    expectAll(paths, () => paths);
  });

  test("articles with dates in their paths that link to each other", () => {
    const posts = range(200).map((index) => `/blog/${2010 + (index % 15)}/0${1 + (index % 9)}/title-of-post-${index}`);
    expectAll(posts, (path) => [posts[posts.indexOf(path) + 3], posts[posts.indexOf(path) + 1]].filter((each) => each !== undefined));
  });

  test("an archive by months, listed on every page", () => {
    const months = range(25).flatMap((year) => range(12, 1).map((month) => `/${2000 + year}/${String(month).padStart(2, "0")}`));
    expectAll(months, () => months);
  });

  test("tags, topics of a forum, and categories with pagination", () => {
    const tags = range(60).map((index) => `/blog?tag=word${index}`);
    const topics = range(80).map((index) => `/viewtopic.php?f=${index % 7}&t=${1000000 + index}`);
    const lists = range(10).flatMap((category) => range(9, 1).map((page) => `/list?category=c${category}&page=${page}`));
    expectAll([...tags, ...topics, ...lists], (path) =>
      path.startsWith("/blog") ? tags : ["/blog?tag=word0", ...topics, ...lists],
    );
  });

  test("addresses with checksums", () => {
    const news = range(100).map((id) => `/news?tx_news[action]=detail&tx_news[news]=${id}&cHash=${(id * 7919).toString(16)}`);
    expectAll(news, () => news);
  });

  test("a few filters with a few values", () => {
    const values = range(3);
    const paths = values.flatMap((a) => values.flatMap((b) => values.map((c) => `/shop?a=${a}&b=${b}&c=${c}`)));
    expectAll(paths, () => paths);
  });

  test("sections that repeat a word or a number", () => {
    const paths = ["/news/2024/news", "/law/1/1/1/1", "/en/docs/en", "/2024/01/01"];
    expectAll(paths, () => paths);
  });

  test("dates that a sitemap lists", () => {
    const frontier = frontierWith();
    const urls = range(500, 1).map((day) => `${ORIGIN}/events?date=${new Date(day * 86_400_000).toISOString().slice(0, 10)}`);
    expect(frontier.add({ urls, source: "sitemap" })).toHaveLength(500);
    expect(frontier.traps()).toEqual([]);
  });

  test("addresses in a sitemap, even on a path recognised as a trap", () => {
    const { frontier, start } = started();
    const combination = (each: number) => `${ORIGIN}/shop?a=${each % 8}&b=${Math.floor(each / 8)}`;
    const found = link(frontier, start, range(64).map(combination));
    expect(found.length).toBeLessThan(64);
    const urls = range(64).map(combination);
    expect(frontier.add({ urls, source: "sitemap" })).toHaveLength(64 - found.length);
  });
});

describe("a restarted crawl continues where it stopped", () => {
  const linksOf = (path: string) => [
    ...range(8).map((index) => `${path === "/" ? "" : path.split("?")[0]}/part-${index}`),
    `/list?page=${Number(/page=(\d+)/.exec(path)?.[1] ?? 1) + 1}`,
    ...range(9).map((index) => `/shop?a=${(path.length * index) % 7}&b=${index}&c=${path.length}`),
    "/about",
  ];

  test.each([1, 10, 60, 200])("after %i visits it makes the same decisions", (visits) => {
    const before = frontierWith();
    const known = before.add({ urls: [`${ORIGIN}/`], source: "start" });
    const taken: KnownAddress[] = [];
    for (let next = before.next(); next && taken.length < visits; next = before.next()) {
      taken.push(next);
      known.push(...link(before, next, linksOf(pathOf(next))));
      if (taken.length === visits) break;
    }
    const after = frontierWith();
    after.restore(structuredClone(known), taken.map(({ key }) => key));
    expect(after).toMatchObject({ known: before.known, waiting: before.waiting });

    const goOn = (frontier: Frontier) => {
      const order: string[] = [];
      for (let next = frontier.next(); next && order.length < 300; next = frontier.next()) {
        order.push(pathOf(next), ...link(frontier, next, linksOf(pathOf(next))).map(({ url }) => `found ${url}`));
      }
      return order;
    };
    const expected = goOn(before);
    expect(expected.length).toBeGreaterThan(50);
    expect(goOn(after)).toEqual(expected);
  });

  test("all visited pages of a kind count for its rank, also those found last", () => {
    const { frontier, start } = started();
    const found = link(frontier, start, ["/p/x-1", "/p/x-2", "/p/x-3", "/about"]);
    const after = frontierWith();
    after.restore([start, ...found], [start.key, ...found.slice(1, 3).map(({ key }) => key)]);
    expect(drained(after)).toEqual(["/about", "/p/x-1"]);
  });

  test("claims are restored", () => {
    const { frontier, start } = started();
    const [one] = link(frontier, start, ["/one", "/target"]) as [KnownAddress];
    const after = frontierWith();
    after.restore([start, one, { ...one, url: `${ORIGIN}/target`, key: pageKey(`${ORIGIN}/target`) }], [start.key, one.key]);
    expect(after.claim(`${ORIGIN}/target`, one)).toBe(true);
    expect(after.next()).toBeUndefined();
  });
});

test("every address of a large site is visited once", () => {
  const frontier = frontierWith(20_000);
  const { key } = (frontier.add({ urls: [`${ORIGIN}/`], source: "start" }))[0] as KnownAddress;
  const urls = range(25_000).map((index) => `${ORIGIN}/section-${"abc"[index % 3]}/kind${"xyz"[index % 7 % 3]}/name-of-${index}`);
  frontier.add({ urls, source: "sitemap" });
  expect(frontier).toMatchObject({ known: 20_000, waiting: 20_000 });
  const visited = drained(frontier);
  expect(new Set(visited).size).toBe(20_000);
  expect(frontier.skipped().overflow).toBe(5_001);
  expect(key).toBe("example.com/");
});
