import { describe, expect, test } from "vitest";
import { pageKey } from "~/scan/crawl/addresses/address";
import type { KnownAddress } from "~/scan/crawl/frontier";
import { link, ORIGIN, range, started, walk } from "../../support/scan/frontier";

describe("traps are recognised and reported", () => {
  const walkAndName = (linksOf: (path: string) => string[], limit?: number) => {
    const walked = walk(linksOf, limit);
    return { ...walked, traps: walked.frontier.traps() };
  };
  const afterMonth = (month: string, months: number) => {
    const [year = 0, number = 0] = month.split("-").map(Number);
    return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
  };

  test.each([
    ["/calendar?month=", ""],
    ["/events/", ""],
    ["/events/", "/list"],
    ["/cal?view=month&date=", "-01"],
  ])("a calendar without end: %s…%s", (before, after) => {
    const { visited, traps } = walkAndName((path) => {
      if (path === "/") return ["/about", `${before}2026-01${after}`];
      const [month] = /\d{4}-\d\d/.exec(path) ?? [];
      return month ? [-1, 1].map((step) => before + afterMonth(month, step) + after) : [];
    });
    expect(visited).toContain("/about");
    expect(visited.length).toBeLessThan(32);
    expect(traps).toHaveLength(1);
    expect(traps[0]).toMatchObject({ kind: "calendar", count: 2 });
    expect(traps[0]?.example).toContain(before);
  });

  test("a calendar by years, months and days", () => {
    const day = (date: Date) => `/cal/${date.toISOString().slice(0, 10).replaceAll("-", "/")}`;
    const { visited, traps } = walkAndName((path) => {
      if (path === "/") return ["/cal/2026/01"];
      const [, year, month = "01"] = /^\/cal\/(\d{4})\/(\d\d)/.exec(path) ?? [];
      const next = afterMonth(`${year}-${month}`, 1).replace("-", "/");
      return [...range(28, 1).map((each) => day(new Date(Date.UTC(Number(year), Number(month) - 1, each)))), `/cal/${next}`];
    });
    expect(visited.length).toBeLessThan(60);
    expect(new Set(traps.map(({ kind }) => kind))).toEqual(new Set(["calendar"]));
  });

  test("a list in which each page links to the next", () => {
    const { visited, traps } = walkAndName((path) => {
      const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
      return path === "/" ? ["/list"] : page < 30 ? [`/list?page=${page + 1}`] : [];
    });
    expect(visited).toHaveLength(15);
    expect(traps).toEqual([
      { kind: "chain", template: "/list?page", example: `${ORIGIN}/list?page=15`, count: 1 },
    ]);
  });

  test("a list without end, with the page number in the path", () => {
    const { visited, traps } = walkAndName((path) => [`/blog/page/${Number(/\d+/.exec(path)?.[0] ?? 1) + 1}`]);
    expect(visited).toHaveLength(14);
    expect(traps).toMatchObject([{ kind: "chain", template: "/blog/page/#" }]);
  });

  test("relative links that lead deeper and deeper", () => {
    const { visited, traps } = walkAndName((path) => ["a/", "b/"].map((each) => `${path}${each}`));
    expect(visited.length).toBeLessThan(40);
    expect(traps.map(({ kind, template }) => `${kind} ${template}`).sort()).toEqual([
      "path /a/…",
      "path /b/…",
      "path /…",
    ]);
  });

  test("paths that grow without end", () => {
    const { visited, traps } = walkAndName((path) => [`${path}${visitedWord(path)}/`]);
    expect(visited.length).toBeLessThan(16);
    expect(traps).toMatchObject([{ kind: "path", count: 1 }]);

    function visitedWord(path: string) {
      return `level${"abcdefghijklmnopqrstuvwxyz"[path.split("/").length]}`;
    }
  });

  test("overlong addresses, and too many parameters", () => {
    const { traps } = walkAndName((path) =>
      path === "/"
        ? [`/a/${"x".repeat(1_100)}`, `/b?q=${"y".repeat(1_600)}`, `/c?${range(20).map((each) => `p${each}=1`).join("&")}`]
        : [],
    );
    expect(traps.map(({ kind, template }) => `${kind} ${template}`)).toEqual(["path /a/*/…", "query /b?…", "query /c?…"]);
    expect(traps[0]?.example.length).toBeLessThan(600);
  });

  test.each<[string, (path: string) => string[]]>([
    [
      "filters, each with many values",
      (path) => {
        const query = new URLSearchParams(path.split("?")[1]);
        return ["colour", "size", "brand"].flatMap((name) =>
          range(10).map((value) => {
            const next = new URLSearchParams(query);
            next.set(name, `v${value}`);
            return `/shop?${next.toString()}`;
          }),
        );
      },
    ],
    [
      "filters with checksums",
      (path) => {
        const query = new URLSearchParams(path.split("?")[1]);
        query.delete("cHash");
        return ["colour", "size", "brand"].flatMap((name) =>
          range(10).map((value) => {
            const next = new URLSearchParams(query);
            next.set(name, `v${value}`);
            next.sort();
            return `/shop?${next.toString()}&cHash=${Buffer.from(next.toString()).toString("hex")}`;
          }),
        );
      },
    ],
    [
      "filters that can be ticked",
      (path) => {
        const ticked = new URLSearchParams(path.split("?")[1]).getAll("f[]");
        return range(12).map((value) => `/shop?${[...ticked, String(value)].map((each) => `f[]=${each}`).join("&")}`);
      },
    ],
    [
      "filters in one list",
      (path) => {
        const [, ticked] = /f=(.*)/.exec(path) ?? [];
        return range(12).map((value) => `/shop?f=${ticked ? `${ticked},` : ""}${value}`);
      },
    ],
  ])("combinations without end: %s", (_name, linksOf) => {
    const { visited, traps } = walkAndName(linksOf);
    expect(visited.length).toBeLessThan(160);
    expect(traps.every(({ kind }) => kind === "query" || kind === "chain")).toBe(true);
    expect(traps.map(({ kind }) => kind)).toContain("query");
  });

  test("a skipped address counts once, however many pages link to it", () => {
    const { frontier, start } = started();
    for (const name of ["/a", "/b"]) {
      const [page] = link(frontier, start, [name]);
      link(frontier, page as KnownAddress, ["/x/x/x/x", "/x/x/x/x#y", "/x/x/x/x/"]);
    }
    expect(frontier.traps()).toMatchObject([{ kind: "path", count: 1 }]);
  });

  test("a skipped address is kept when a page outside of the trap links to it", () => {
    const { frontier, visited } = walk((path) => {
      const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
      return path === "/" ? ["/list"] : [`/list?page=${page + 1}`];
    });
    const start = { url: `${ORIGIN}/`, key: pageKey(ORIGIN), depth: 0, chain: 0, source: "start", linkedFrom: null } as const;
    expect(visited).not.toContain("/list?page=40");
    expect(link(frontier, start, ["/list?page=40"])).toHaveLength(1);
  });
});
