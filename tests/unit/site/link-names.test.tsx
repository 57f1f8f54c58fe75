import { expect, test } from "vitest";
import { WebsiteTable } from "~/monitoring/view/websites/website-table";
import type { WebsiteRow } from "~/monitoring/websites/website";
import type { RunRow } from "~/runs/run-view";
import { RunTable } from "~/runs/view/run-table";
import { linksIn, rendered } from "../../support/browser/rendered";

const run = (id: string, url: string): RunRow => ({
  id: `${id}-0123456789`,
  url,
  reached: null,
  scope: "site",
  standard: "WCAG 2.2 AA",
  status: "succeeded",
  reason: null,
  createdAt: 1_000,
  pages: 3,
  failedPages: 0,
  isWhole: true,
  knownPages: 3,
  violatedRules: 1,
  elements: 2,
  accepted: 0,
});

const website = (name: string): WebsiteRow => ({
  id: name,
  name,
  last: run(`run-of-${name}`, `https://${name}/`),
  change: { before: `before-${name}`, fresh: 0, fixed: 0, unknown: 0 },
  trend: [],
  trendRuns: [],
  open: null,
  next: null,
  picture: null,
});

/** Link texts with several targets. */
function ambiguous(markup: string): string[] {
  const links = linksIn(markup);
  return links.filter(({ href, text }) => links.some((other) => other.text === text && other.href !== href)).map(({ text }) => text);
}

test("in a list of scans, those of one address have links with different names; others are named by their address alone", async () => {
  const runs = [run("first-00", "https://shop.example/"), run("second-0", "https://shop.example/"), run("third-00", "https://blog.example/")];
  const markup = await rendered([{ path: "*", element: <RunTable runs={runs} /> }], "de");
  expect(ambiguous(markup)).toEqual([]);
  expect(linksIn(markup).map(({ text }) => text)).toEqual(expect.arrayContaining(["https://shop.example/ (first-00)", "https://blog.example/"]));
});

test("in a list of websites, links to results and changes name their website", async () => {
  const markup = await rendered([{ path: "*", element: <WebsiteTable websites={["shop.example", "blog.example"].map(website)} path="/websites" /> }], "de");
  expect(ambiguous(markup)).toEqual([]);
  expect(linksIn(markup).map(({ text }) => text)).toContain("nichts verändert: shop.example");
});
