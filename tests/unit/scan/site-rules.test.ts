import { describe, expect, it } from "vitest";
import { deadAddress, type ComparedPage } from "~/scan/site/judge-site";
import type { HelpItem, LinkBlock, PageLink, SiteFacts } from "~/scan/site/site-facts";
import type { DeadAddress } from "~/scan/site/site-rule";
import { comparedPage, outcomesOf } from "../../support/scan/judge-site";

const PATHS = ["/", "/tea", "/coffee", "/about"];

/** Block with links to these paths; the name of each link is its path. */
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

describe("rampe-consistent-identification", () => {
  const judged = (...pages: Partial<SiteFacts>[]) => outcomesOf(site(...pages), "rampe-consistent-identification");
  const called = (name: string) => {
    const block = menu(PATHS);
    return { blocks: [{ ...block, links: block.links.map((link) => (link.name === "about" ? { ...link, name } : link)) }] };
  };

  it("asks once about a link that most pages call something else", () => {
    expect(judged(called("Team"), called("Who we are"), called("Who we are"))).toEqual([
      ["incomplete", "/", "A link of this menu is called “Team” here, but “Who we are” on /tea; pages with it: 3. Is it clear that both are the same?"],
    ]);
  });

  it("accepts longer forms of a name, and numbers in it", () => {
    expect(judged(called("Team"), called("Our team"), called("Team (this page)"), called("Team 3"))).toEqual([["passes", "/", ""]]);
  });

  it("accepts names that lead somewhere else on each page", () => {
    const parts = (previous: string, next: string) => ({
      blocks: [menu([], { links: [["Previous", previous], ["1", "/1"], ["2", "/2"], ["3", "/3"], ["4", "/4"], ["Next", next]].map(([name = "", path]) => ({ name, address: `https://shop.example${path}` })) })],
    });
    expect(judged(parts("/0", "/2"), parts("/1", "/3"), parts("/2", "/4"))).toEqual([["inapplicable", "/", ""]]);
  });

  it("asks about a search with different names", () => {
    const search = (name: string) => ({ search: { name, action: "https://shop.example/find q", element: { selector: "#q", html: "<input>" } } });
    expect(judged(search("Search"), search("Find products"), search("Search")).map(([category, path]) => `${category} ${path}`)).toEqual(["incomplete /tea"]);
    expect(judged(search("Search"), search("Search"))).toEqual([["passes", "/", ""]]);
  });
});

describe("rampe-consistent-help", () => {
  const judged = (...pages: Partial<SiteFacts>[]) => outcomesOf(site(...pages), "rampe-consistent-help");
  const contact = (...sides: HelpItem["side"][]) => ({
    help: sides.map((side) => ({ side, name: "Contact", address: "https://shop.example/contact", isOfFrame: true, element: { selector: "a", html: "<a>" } })),
  });

  it("fails where it is in the header of some pages and in the footer of others", () => {
    expect(judged(contact("after"), contact("before"), contact("after"), {})).toEqual([
      ["violations", "/tea", "“Contact” comes before the main content here, but after it on /. Pages with this help: 3, where it is in another place: 1"],
    ]);
  });

  it("accepts help that is in a common place on all pages that have it", () => {
    expect(judged(contact("after"), contact("before", "after"), {})).toEqual([["passes", "/", ""]]);
  });

  it("asks where it may belong to the content, and does not judge what only one page has", () => {
    const beside = { help: contact("before").help.map((item) => ({ ...item, isOfFrame: false })) };
    expect(judged(contact("after"), beside).map(([category]) => category)).toEqual(["incomplete"]);
    expect(judged(contact("after"), {})).toEqual([["inapplicable", "/", ""]]);
  });
});

describe("rampe-more-ways", () => {
  const judged = (pages: ComparedPage[], limited = false) => outcomesOf(pages, "rampe-more-ways", { limited }).map(([category]) => category);
  const five = site(...Array.from({ length: 5 }, () => ({ blocks: [menu(PATHS)] })));

  it("asks about a site without search and site map", () => {
    expect(judged(five)).toEqual(["incomplete"]);
    expect(judged([...five, ...site({}).map((page) => ({ ...page, url: `${page.url}map`, facts: { ...page.facts, hasFinder: true } }))])).toEqual(["passes"]);
  });

  it("is silent about small sites, and where pages were not reached", () => {
    expect(judged(five.slice(0, 4))).toEqual(["inapplicable"]);
    expect(judged(five, true)).toEqual(["inapplicable"]);
  });
});

describe("rampe-same-title", () => {
  const judged = (...pages: [path: string, heading: string, title?: string][]) =>
    outcomesOf(pages.map(([path, heading, title]) => comparedPage(path, { heading }, { title })), "rampe-same-title");

  it("asks once about pages with different headings, or without", () => {
    expect(judged(["/beds", "Beds"], ["/tables", "Tables"], ["/chairs", "Chairs"])).toEqual([
      ["incomplete", "/beds", "The title “Shop” is also that of /tables; pages with it: 3. Does it say what each of them is about?"],
    ]);
    expect(judged(["/beds", ""], ["/tables", ""]).map(([category]) => category)).toEqual(["incomplete"]);
  });

  it("accepts parts and views of a list, and two addresses of one page", () => {
    expect(judged(["/news", "News"], ["/news/page/2", "News, part 2"], ["/news?sort=old&tag=tea", "Tea"])).toEqual([["passes", "/news", ""]]);
    expect(judged(["/beds", "Beds"], ["/en/beds-new", "Beds"])).toEqual([["passes", "/beds", ""]]);
    expect(judged(["/beds", "Beds", "Beds"], ["/tables", "Tables", "Tables"])).toEqual([["passes", "/beds", ""]]);
  });
});

describe("rampe-same-name", () => {
  const paths = ["/", "/beds", "/tables", "/chairs", "/contact", "/mail"];
  const linked = (name: string, path: string) => ({ kind: "contentinfo" as const, name: "", element: { selector: "footer", html: "<footer>" }, links: [{ name, address: `https://shop.example${path}` }] });
  /** @param targets targets of the link, one per page */
  const judged = (name: string, targets: string[], places = paths) =>
    outcomesOf(places.map((path, index) => comparedPage(path, { heading: `About ${path.replace(/\W/g, " ")}`, blocks: targets[index] ? [linked(name, targets[index])] : [] })), "rampe-same-name");

  it("asks once about a name of a menu or a footer that leads to another page on some pages", () => {
    expect(judged("Contact", ["/contact", "/contact", "/contact", "/mail", "/contact", "/mail"])).toEqual([
      ["incomplete", "/chairs", "“Contact” leads to /mail here (on /chairs, /mail), but to /contact on other pages (4). Can people tell that these are different pages?"],
    ]);
  });

  it("accepts names that lead to many pages, or to the next one from each", () => {
    expect(judged("Offer", ["/beds", "/tables", "/chairs", "/beds", "/beds", "/beds"])).toEqual([["passes", "/", ""]]);
    expect(judged("Next", ["/beds", "/beds", "/beds", "/tables"])).toEqual([["inapplicable", "/", ""]]);
    expect(judged("Page 2", ["/beds", "/tables", "/chairs", "/contact"])).toEqual([["passes", "/", ""]]);
  });

  it("accepts a part of the site with a page of its own, addresses that were not checked, and two addresses of one page", () => {
    const places = ["/", "/beds", "/tables", "/contact", "/shop/start", "/shop/contact"];
    expect(judged("Contact", ["/contact", "/contact", "/contact", "/contact", "/shop/contact", "/shop/contact"], places)).toEqual([["passes", "/", ""]]);
    expect(judged("Contact", ["/contact", "/contact", "/contact", "/unknown", "/contact", "/contact"])).toEqual([["passes", "/", ""]]);
    const pages = ["/", "/beds", "/tables", "/contact", "/contact-new"].map((path, index) => comparedPage(path, { heading: path.startsWith("/contact") ? "Contact" : path, blocks: [linked("Contact", index === 4 ? "/contact-new" : "/contact")] }));
    expect(outcomesOf(pages, "rampe-same-name")).toEqual([["passes", "/", ""]]);
  });

  describe("names of menus in the content", () => {
    const headings: Record<string, string> = { "/contact": "How to reach us", "/mail": "Return something" };
    const inContent = (name: string, path: string): PageLink => ({ name, address: `https://shop.example${path}`, element: { selector: "main a", html: "<a>" } });
    /** @param targets targets of the links in the content, by page */
    const judgedContent = (targets: Record<string, string>, { name = "Contact", heading = headings, menus = paths, places = paths }: { name?: string; heading?: Record<string, string>; menus?: string[]; places?: string[] } = {}) =>
      outcomesOf(places.map((path) => comparedPage(path, { heading: heading[path] ?? `About ${path}`, blocks: menus.includes(path) ? [linked(name, "/contact")] : [], links: targets[path] ? [inContent(name, targets[path])] : [] })), "rampe-same-name");

    it("asks once where the content of several pages leads to another page than the menus", () => {
      expect(judgedContent({ "/beds": "/mail", "/chairs": "/mail", "/tables": "/contact" })).toEqual([
        ["incomplete", "/beds", "In the content, “Contact” leads to /mail (on /beds, /chairs), but in menus, headers and footers to /contact (on 6 pages). Can people tell that these are different pages?"],
      ]);
    });

    it("accepts a single page, several targets, menus of few pages, and names of relative links", () => {
      const fine = [["passes", "/", ""]];
      expect(judgedContent({ "/beds": "/mail" })).toEqual(fine);
      expect(judgedContent({ "/beds": "/mail", "/chairs": "/mail", "/tables": "/beds" })).toEqual(fine);
      expect(judgedContent({ "/beds": "/mail", "/chairs": "/mail" }, { menus: ["/", "/beds"] })).toEqual(fine);
      expect(judgedContent({ "/beds": "/mail", "/chairs": "/mail" }, { name: "Read more" })).toEqual([["inapplicable", "/", ""]]);
    });

    it("accepts a page with the name in its heading, and a part of the site with a page of its own", () => {
      expect(judgedContent({ "/beds": "/mail", "/chairs": "/mail" }, { heading: { ...headings, "/mail": "Contact by mail" } })).toEqual([["passes", "/", ""]]);
      const places = [...paths, "/shop/form", "/shop/a", "/shop/b"];
      expect(judgedContent({ "/shop/a": "/shop/form", "/shop/b": "/shop/form" }, { places })).toEqual([["passes", "/", ""]]);
    });
  });

  it("does not compare languages, nor links in the text with each other", () => {
    const pages = ["/", "/beds", "/tables", "/contact", "/kontakt"].map((path, index) => comparedPage(path, { heading: path, blocks: [linked("Info", index === 4 ? "/kontakt" : "/contact")] }, { lang: index === 4 ? "de" : "en" }));
    expect(outcomesOf(pages, "rampe-same-name")).toEqual([["passes", "/", ""]]);
    const inText = (path: string): PageLink => ({ name: "Offer", address: `https://shop.example${path}`, element: { selector: "p > a", html: "<a>" } });
    expect(outcomesOf(site({ links: [inText("/tea")] }, { links: [inText("/tea")] }, { links: [inText("/tea")] }, { links: [inText("/about")] }), "rampe-same-name")).toEqual([["inapplicable", "/", ""]]);
  });
});

describe("rampe-dead-link", () => {
  const judged = (pages: ComparedPage[], ...dead: DeadAddress[]) => outcomesOf(pages, "rampe-dead-link", { dead });
  const inText = (path: string, name = "Offers"): PageLink => ({ name, address: `https://shop.example${path}`, element: { selector: "p > a", html: "<a>" } });
  const old = { url: "https://shop.example/old", why: 404 } as const;

  it("asks once for each address, with the pages that link to it, the most linked first", () => {
    const gone = { url: "https://shop.example/gone", why: 410 } as const;
    const pages = site({ blocks: [menu([...PATHS, "/gone"])] }, { links: [inText("/old"), inText("/old?utm_source=mail")] }, { links: [inText("/old", "Bargains")] });
    expect(judged(pages, gone, old)).toEqual([
      ["incomplete", "/tea", "“Offers” leads to /old, where the server said that there is no such page (status 404). Pages with a link to it: 2 (/tea, /coffee). Does it still lead to what it promises?"],
      ["incomplete", "/", "“gone” leads to /gone, where the server said that there is no such page (status 410). Pages with a link to it: 1 (/). Does it still lead to what it promises?"],
    ]);
  });

  it("names a few pages of many", () => {
    const [[, , message] = []] = judged(site(...Array.from({ length: 7 }, () => ({ links: [inText("/old")] }))), old);
    expect(message).toContain("Pages with a link to it: 7 (/, /tea, /coffee, /about, /page-4, …)");
  });

  it("is silent about addresses without a link, and about another spelling, which was not requested", () => {
    expect(judged(site({}, {}), old)).toEqual([["passes", "/", ""]]);
    expect(judged(site({ links: [inText("/old/")] }), old)).toEqual([["passes", "/", ""]]);
  });

  it("asks once about a server whose name is not known, unless it answered before", () => {
    const unknown = ["/a", "/b"].map((path) => ({ url: `https://www.shop.example${path}`, why: "host" as const }));
    const pages = site({ links: ["/a", "/b"].map((path) => ({ ...inText(path), address: `https://www.shop.example${path}` })) });
    expect(judged(pages, ...unknown).map(([, , message]) => message)).toEqual([
      "“Offers” leads to www.shop.example, but no server of that name was found. Pages with a link to it: 1 (/). Does it still lead to what it promises?",
    ]);
    expect(judged(site({ links: [inText("/a")] }), { url: "https://shop.example/a", why: "host" })).toEqual([["passes", "/", ""]]);
  });

  it("takes only answers for an end that will not pass by themselves", () => {
    expect([404, 410, 403, 429, 500, undefined].map((status) => deadAddress(old.url, "http_status", status)?.why)).toEqual([404, 410, undefined, undefined, undefined, undefined]);
    expect([deadAddress(old.url, "dns")?.why, deadAddress(old.url, "timeout"), deadAddress(old.url, "refused")]).toEqual(["host", undefined, undefined]);
  });
});

describe("rampe-language-version", () => {
  const promise = (language: string, path: string) => ({ versions: [{ language, address: `https://shop.example${path}`, element: { selector: "a", html: "<a>" } }] });
  const judged = (facts: Partial<SiteFacts>, lang: string) =>
    outcomesOf([comparedPage("/", facts), comparedPage("/tea", facts), comparedPage("/de", {}, { lang })], "rampe-language-version");

  it("asks once about a page that declares another language than links promise", () => {
    expect(judged(promise("de", "/de#content"), "en-GB")).toEqual([
      ["incomplete", "/", "According to this link (hreflang), /de is in “de”, but the page itself declares “en”. Does it declare the right language?"],
    ]);
  });

  it("accepts another country, and another tag of the same language", () => {
    expect(judged(promise("de", "/de"), "de-AT")).toEqual([["passes", "/", ""]]);
    expect(judged(promise("deu", "/de"), "de")).toEqual([["passes", "/", ""]]);
    expect(judged(promise("no", "/de"), "nb")).toEqual([["passes", "/", ""]]);
  });

  it("is silent about pages without a language, and pages that were not checked", () => {
    expect(judged(promise("de", "/de"), "")).toEqual([["inapplicable", "/", ""]]);
    expect(judged(promise("de", "/other"), "en")).toEqual([["inapplicable", "/", ""]]);
  });
});
