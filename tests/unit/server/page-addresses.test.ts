import { expect, test } from "vitest";
import { createPages } from "~/runs/page.server";
import { createRunLists } from "~/runs/list.server";
import { runRows } from "~/reports/run-rows.server";
import * as categoryPage from "~/routes/report/category";
import * as elementPage from "~/routes/report/element";
import * as overviewPage from "~/routes/report/overview";
import * as pagesPage from "~/routes/report/pages";
import * as rulePage from "~/routes/report/rule";
import { noFacts } from "~/scan/crawl/facts";
import { freshDatabase } from "../../support/database/database";
import { finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, uncheckedPage } from "../../support/database/page-results";
import { sharedReport } from "../../support/reports/shared-report";

const SHOP = "https://shop.example/";
const MOVED = checkedPage({ url: SHOP, finalUrl: `${SHOP}start` });
const KEPT = uncheckedPage({
  url: `${SHOP}konto`,
  finalUrl: `${SHOP}login?returnTo=konto`,
  linkedFrom: SHOP,
  reason: "login_required",
  detail: {},
});
const GONE = uncheckedPage({ url: `${SHOP}gone`, linkedFrom: SHOP, reason: "http_status", detail: { httpStatus: 404 } });
const ELSEWHERE = { url: `${SHOP}out`, finalUrl: "https://partner.example/", linkedFrom: SHOP };

async function stored() {
  const db = await freshDatabase();
  const crawl = { ...noFacts(9), skipped: { ...noFacts(9).skipped, elsewhere: 1 }, elsewhere: [ELSEWHERE] };
  const run = await finishedRun(db, [MOVED, KEPT, GONE], { crawl });
  const [first] = await createPages({ db }).ofRun(run.id);
  return { db, run, pageId: String(first?.id) };
}

test("the overview names the address reached, why pages were not checked, and what links to them", async () => {
  const { db, run } = await stored();
  const overview = await sharedReport(db, run, overviewPage);
  expect(overview).toContain(`Redirected to ${MOVED.finalUrl}`);
  expect(overview).toContain(`Redirected to ${KEPT.finalUrl}`);
  expect(overview).toContain("leads to a sign-in");
  expect(overview).toContain("once we are given access");
  expect(overview).toContain("page not found (status 404)");
  expect(overview).toContain(`Linked from ${SHOP}`);
  expect(overview).toContain(`Redirected to another website: ${ELSEWHERE.finalUrl}`);
});

test("the list of pages names both addresses, and those that led to another website", async () => {
  const { db, run } = await stored();
  const pages = await sharedReport(db, run, pagesPage);
  for (const url of [MOVED.url, KEPT.url, GONE.url, ELSEWHERE.url]) expect(pages).toContain(url);
  for (const url of [MOVED.finalUrl, KEPT.finalUrl]) expect(pages).toContain(`Redirected to ${url}`);
  expect(pages).toContain("They do not count as pages of this website.");
  expect(pages).toContain("not checked: leads to a sign-in");
});

test("rules and elements name both addresses of their pages", async () => {
  const { db, run, pageId } = await stored();
  const params = { category: "violations", rule: "image-alt", page: pageId, position: "0" };
  for (const route of [rulePage, elementPage, categoryPage]) {
    expect(await sharedReport(db, run, route, { params, query: `?page=${pageId}` })).toContain(`Redirected to ${MOVED.finalUrl}`);
  }
});

test("the list of scans names both addresses", async () => {
  const { db } = await stored();
  const { runs } = await createRunLists({ db, runs: runsOf(db) }).list("ada", { limit: 1 });
  expect(await runRows(runs, createPages({ db }))).toMatchObject([{ url: SHOP, reached: { url: MOVED.finalUrl, isOtherSite: false } }]);
});
