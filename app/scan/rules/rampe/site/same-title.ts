import { groupBy } from "~/scan/site/group-by";
import { partsOf } from "~/scan/crawl/addresses/address";
import { plainName } from "~/scan/site/repeated-blocks";
import { pathOf, type SiteFault, type SitePage, type SiteRule } from "~/scan/site/site-rule";

/** Pages with one title, although they seem to have different subjects. */
export const sameTitle: SiteRule = {
  id: "rampe-same-title",
  since: "1.6.0",
  criteria: ["2.4.2"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "moderate",
  judge({ pages }) {
    const titles = groupBy(pages.filter(({ title }) => title.trim() !== ""), ({ title }) => title.trim().toLowerCase());
    return { compared: pages.length > 1 ? titles.size : 0, faults: [...titles.values()].flatMap((alike) => faultOf(alike) ?? []) };
  },
};

function faultOf(alike: SitePage[]): SiteFault | undefined {
  const [page] = alike;
  const other = alike.find((each) => page && isAboutElse(page, each));
  if (!page || !other) return undefined;
  const title = page.title.trim().slice(0, 100);
  const element = { selector: "head > title", html: `<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</title>` };
  return { page, element, outcome: { asks: "title", data: { title, page: pathOf(other), pages: alike.length } } };
}

/** Have the pages different subjects? Parts and views of one list have the same subject, and so have two addresses of one page. */
function isAboutElse(one: SitePage, other: SitePage): boolean {
  if (listOf(one) === listOf(other)) return false;
  const headings = [one, other].map(({ heading }) => plainName(heading));
  return headings[0] === "" || headings[1] === "" || headings[0] !== headings[1];
}

/** Address without parameters and without the number of a part, such as `/news/page/2`. */
function listOf({ finalUrl }: SitePage): string {
  const { host, segments } = partsOf(finalUrl);
  return `${host}/${segments.join("/").replace(/(^|\/)((page|seite|p)[-/]?)?\d{1,4}$/i, "")}`;
}
