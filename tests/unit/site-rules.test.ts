import { describe, expect, it } from "vitest";
import type { LinkBlock, SiteFacts } from "~/scan/site/site-facts";
import { comparedPage, outcomesOf } from "../support/judge-site";

const PATHS = ["/", "/tea", "/coffee", "/about"];

/** A block with links to these paths, each called as its path. */
function menu(paths: string[], block: Partial<LinkBlock> = {}): LinkBlock {
  const links = paths.map((path) => ({ name: path === "/" ? "Start" : path.slice(1), address: `https://shop.example${path}` }));
  return { kind: "navigation", name: "Main", element: { selector: "nav", html: "<nav>" }, links, ...block };
}

const site = (...facts: Partial<SiteFacts>[]) => facts.map((each, index) => comparedPage(PATHS[index] ?? `/page-${index}`, each));
const withMenus = (...menus: LinkBlock[]) => site(...menus.map((block) => ({ blocks: [block] })));

describe("rampe-consistent-navigation", () => {
  const judged = (...menus: LinkBlock[]) => outcomesOf(withMenus(...menus), "rampe-consistent-navigation");

  it("tells once, on the first page, that links have changed places", () => {
    const moved = menu(["/coffee", "/", "/tea", "/about"]);
    expect(judged(menu(PATHS), menu(PATHS), moved, moved)).toEqual([
      ["violations", "/coffee", "“coffee” comes before “Start” here, but after it on /. Pages with this menu: 4, with changed places: 2"],
    ]);
  });

  it("accepts links that are missing or added, as that of the page itself", () => {
    const pages = [menu(PATHS), menu(["/", "/coffee", "/about"]), menu(["/", "/tea", "/tea/green", "/coffee", "/about"]), menu(PATHS)];
    expect(judged(...pages)).toEqual([["passes", "/", ""]]);
  });

  it("asks where most pages differ, or where it may be another kind of list", () => {
    const all = [menu(["/", "/tea", "/coffee"]), menu(["/tea", "/", "/coffee"]), menu(["/coffee", "/tea", "/"])];
    expect(judged(...all).map(([category]) => category)).toEqual(["incomplete"]);
    const list = { kind: "list" as const, name: "popular" };
    expect(judged(menu(PATHS, list), menu([...PATHS].reverse(), list)).map(([category]) => category)).toEqual(["incomplete"]);
  });

  it("does not compare different menus, nor pages in different languages", () => {
    expect(judged(menu(PATHS), menu(["/a", "/b", "/tea", "/coffee"]))).toEqual([["inapplicable", "/", ""]]);
    expect(judged(menu(PATHS), menu([...PATHS].reverse(), { name: "Footer" }))).toEqual([["inapplicable", "/", ""]]);
    const pages = [comparedPage("/", { blocks: [menu(PATHS)] }), comparedPage("/tea", { blocks: [menu([...PATHS].reverse())] }, { lang: "de-AT" })];
    expect(outcomesOf(pages, "rampe-consistent-navigation")).toEqual([["inapplicable", "/", ""]]);
  });
});
