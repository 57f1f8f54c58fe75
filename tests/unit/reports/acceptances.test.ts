import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { createAcceptances, type Acceptances, type Accepted, type Terms } from "~/findings/acceptance/acceptances.server";
import { createAcceptedFindings } from "~/findings/acceptance/accepted-findings.server";
import { createHistories } from "~/monitoring/history.server";
import { acceptanceRows } from "~/reports/acceptance/views.server";
import { createReports, type Reports } from "~/reports/report.server";
import { createRunLists } from "~/runs/list.server";
import type { Run } from "~/runs/run";
import type { CheckedPage, ElementResult, FindingResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";

const SHOP = "https://shop.example/";
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20, 12);
const FOR_NOW: Terms = { kind: "will_be_fixed", lastDay: "2026-11-30", reason: "The new shop comes in December" };
const FOR_GOOD: Terms = { kind: "not_a_barrier", lastDay: null, reason: "Decoration" };

let db: Db;
let now: number;
let acceptances: Acceptances;
let reports: Reports;

beforeEach(async () => {
  db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  now = START;
  acceptances = createAcceptances({ db, now: () => now });
  reports = createReports({ db, acceptances });
});

const image = (name: string, more = "") => element({ target: [`#${name}`], html: `<img id="${name}"${more}>` });
const card = (number: number) => element({ target: [`.card:nth-child(${number})`], html: `<a href="/p/${number}"></a>` });
const broken = (ruleId: string, elements: ElementResult[], elementCount = elements.length, impact: FindingResult["impact"] = "serious") =>
  finding(ruleId, { impact, elements, elementCount });

function page(path: string, ...violations: FindingResult[]): CheckedPage {
  return checkedPage({ url: `${SHOP}${path}`, findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
}

const pages = () => [
  page("", broken("image-alt", [image("logo"), image("team")]), broken("link-name", [card(1), card(2)], 2, "critical")),
  page("two", broken("image-alt", [image("logo")]), broken("link-name", [card(3)], 1, "critical")),
];
const scan = (results = pages(), owner = "ada") => finishedRun(db, results, { owner, at: now });

const logo: Accepted = { scope: "element", rule: { source: "axe", ruleId: "image-alt" }, element: { ...image("logo"), pageUrl: SHOP } };
const cards: Accepted = { scope: "component", rule: { source: "axe", ruleId: "link-name" }, element: { ...card(1), pageUrl: SHOP } };
const images: Accepted = { scope: "rule", rule: { source: "axe", ruleId: "image-alt" }, element: null };

const counts = async (run: Run) => (await reports.rules(run.id)).map(({ ruleId, elements, pages: on, accepted = 0 }) => [ruleId, elements, on, accepted]);
const stats = async (run: Run) => {
  const found = (await createRunLists({ db, runs: runsOf(db), acceptances }).list("ada", { limit: 10 })).runs.find(({ id }) => id === run.id);
  const { violations, violatedRules, elements, accepted, impacts } = found?.stats ?? run.stats;
  return [violations, violatedRules, elements, accepted, impacts.critical, impacts.serious];
};

describe("an accepted element", () => {
  test("leaves the counts of rules, pages, lists and sums, on its page alone", async () => {
    const run = await scan();
    expect([await counts(run), await stats(run)]).toEqual([[["link-name", 3, 2, 0], ["image-alt", 3, 2, 0]], [4, 2, 6, 0, 2, 2]]);
    await acceptances.accept("ada", run, logo, FOR_NOW);
    expect([await counts(run), await stats(run)]).toEqual([[["link-name", 3, 2, 0], ["image-alt", 2, 2, 1]], [4, 2, 5, 1, 2, 2]]);
    expect((await reports.pages(run.id, { limit: 9 })).pages.map(({ violations, elements }) => [violations, elements])).toEqual([[2, 3], [2, 2]]);
    const { groups, stored } = await reports.locationsOf(run.id, { category: "violations", ruleId: "image-alt", offset: 0, limit: 9 });
    expect([stored, groups.flatMap(({ locations }) => locations.map(({ html, pageUrl }) => [html, pageUrl]))]).toEqual([2, [['<img id="team">', SHOP], ['<img id="logo">', `${SHOP}two`]]]);
  });

  test("is recognised in runs from before fingerprints were stored", async () => {
    const run = await scan();
    await db.updateTable("stored_element").set({ fingerprint: null }).execute();
    await acceptances.accept("ada", run, logo, FOR_NOW);
    expect(await counts(run)).toEqual([["link-name", 3, 2, 0], ["image-alt", 2, 2, 1]]);
  });

  test("is read again by lists when something was accepted, and else only counted", async () => {
    const run = await scan();
    await acceptances.accept("ada", run, logo, FOR_NOW);
    const reads: string[][] = [];
    const found = createAcceptedFindings({
      db,
      states: acceptances.states,
      active: async (owners) => {
        reads.push(owners);
        return acceptances.active(owners);
      },
    });
    const accepted = async () => (await found.ofRuns([run.id])).get(run.id)?.sums.elements;
    expect([await accepted(), await accepted(), reads]).toEqual([1, 1, [["ada"]]]);
    await acceptances.accept("ada", run, cards, FOR_GOOD);
    expect([await accepted(), reads.length]).toEqual([4, 2]);
    now += 20 * DAY;
    expect([await accepted(), reads.length]).toEqual([3, 3]);
  });

  test("survives later checks of the site and of its page, until it changes", async () => {
    const run = await scan();
    await acceptances.accept("ada", run, logo, FOR_NOW);
    now += DAY;
    expect(await counts(await scan())).toContainEqual(["image-alt", 2, 2, 1]);
    const alone = await finishedRun(db, [page("#top", broken("image-alt", [image("logo")]))], { owner: "ada", at: now, scope: "page" });
    expect(await counts(alone)).toEqual([]);
    const changed = await scan([page("", broken("image-alt", [image("logo", ' src="new.png"')]))]);
    expect(await counts(changed)).toEqual([["image-alt", 1, 1, 0]]);
  });

  test("comes back after its last day, and when somebody ends it; what was said is kept", async () => {
    const run = await scan();
    const { id } = await acceptances.accept("ada", run, logo, FOR_NOW);
    now = Date.UTC(2026, 10, 30, 20);
    expect(await counts(run)).toContainEqual(["image-alt", 2, 2, 1]);
    now = Date.UTC(2026, 11, 1, 12);
    expect(await counts(run)).toContainEqual(["image-alt", 3, 2, 0]);
    expect(await acceptances.end("ada", id)).toBe(false);
    expect(await acceptances.ofWebsite("ada", run)).toMatchObject([{ id, isOver: true, ended: null, reason: FOR_NOW.reason, by: "ada", at: START }]);

    const { id: again } = await acceptances.accept("ada", run, logo, FOR_GOOD);
    expect(await counts(run)).toContainEqual(["image-alt", 2, 2, 1]);
    expect(await acceptances.end("eve", again)).toBe(false);
    expect(await acceptances.end("ada", again)).toBe(true);
    expect(await counts(run)).toContainEqual(["image-alt", 3, 2, 0]);
    expect(await acceptances.ofWebsite("ada", run)).toMatchObject([{ id: again, ended: { by: "ada", at: now } }, { id, ended: null }]);
  });

  test("is another user's business in no way", async () => {
    const run = await scan();
    const hers = await scan(pages(), "eve");
    await acceptances.accept("ada", run, images, FOR_GOOD);
    expect(await counts(hers)).toContainEqual(["image-alt", 3, 2, 0]);
    expect(await acceptances.ofWebsite("eve", hers)).toEqual([]);
    expect((await acceptances.readerOf(hers)).ofRule(images.rule)).toBeUndefined();
  });
});

test("a component leaves the counts on all pages, and an element of it is not counted twice", async () => {
  const run = await scan();
  await acceptances.accept("ada", run, { ...cards, scope: "element" }, FOR_NOW);
  await acceptances.accept("ada", run, cards, FOR_NOW);
  expect([await counts(run), await stats(run)]).toEqual([[["image-alt", 3, 2, 0]], [2, 1, 3, 3, 0, 2]]);
  expect(await reports.allRules(run.id)).toMatchObject([{ ruleId: "link-name", elements: 0, pages: 0, accepted: 3 }, { ruleId: "image-alt" }]);
  expect([...(await acceptances.ofRun(run.id)).extent.values()]).toEqual([{ elements: 3, pages: 2 }, { elements: 1, pages: 1 }]);
});

test("a rule leaves the counts with elements that are not stored, in this and in later runs of the website", async () => {
  const run = await scan([page("", broken("image-alt", [image("logo")], 900))]);
  await acceptances.accept("ada", run, images, FOR_NOW);
  expect([await counts(run), await stats(run)]).toEqual([[], [0, 0, 0, 900, 0, 0]]);
  // Plans use these rules for the details in full: accepting one must not open another.
  expect(await reports.foundRules(run.id)).toMatchObject([{ ruleId: "image-alt", elements: 900, pages: 1 }]);
  expect(await counts(await scan())).toEqual([["link-name", 3, 2, 0]]);
  const elsewhere = await scan([{ ...page("", broken("image-alt", [image("logo")])), url: "https://other.example/" }]);
  expect(await counts(elsewhere)).toEqual([["image-alt", 1, 1, 0]]);
});

test("a second word on the same ends the first", async () => {
  const run = await scan();
  const { id: first } = await acceptances.accept("ada", run, logo, FOR_NOW);
  const { id: second } = await acceptances.accept("ada", run, logo, FOR_GOOD);
  expect(await acceptances.ofWebsite("ada", run)).toMatchObject([{ id: second, ended: null, lastDay: null }, { id: first, ended: { by: "ada", at: START } }].sort((one, other) => (one.id < other.id ? -1 : 1)));
  expect((await acceptances.readerOf(run)).ofElement({ pageUrl: `${SHOP}#here`, rule: logo.rule, element: image("logo") })).toMatchObject({ id: second, kind: "not_a_barrier" });
});

test("the same said twice is one word: a form may be sent twice", async () => {
  const run = await scan();
  const { id: first } = await acceptances.accept("ada", run, logo, FOR_NOW);
  now += 1_000;
  expect(await acceptances.accept("ada", run, logo, FOR_NOW)).toEqual({ id: first, isNew: false });
  expect(await acceptances.ofWebsite("ada", run)).toMatchObject([{ id: first, ended: null, at: START }]);
  await acceptances.end("ada", first);
  expect(await acceptances.accept("ada", run, logo, FOR_NOW)).toMatchObject({ isNew: true });
});

test("accepted elements are neither new nor gone nor there in a comparison, nor in a trend", async () => {
  const histories = createHistories({ db, acceptances });
  const before = await scan();
  now += DAY;
  const after = await scan([page("", broken("image-alt", [image("logo"), image("new")]), broken("link-name", [card(1), card(9)]))]);
  await acceptances.accept("ada", after, logo, FOR_NOW);
  await acceptances.accept("ada", after, cards, FOR_NOW);
  const { totals } = await histories.compare(before, after);
  expect(totals).toMatchObject({ new: 1, persisting: 0, fixed: 1, not_checked_after: 1 });
  expect((await histories.entries("ada", after)).entries.map(({ run, elements }) => [run.stats.elements, run.stats.accepted, elements.serious])).toEqual([[2, 4, 2], [1, 3, 1]]);
});

test("acceptances go with the account, and stay when the run goes", async () => {
  const run = await scan();
  await acceptances.accept("ada", run, logo, FOR_NOW);
  await db.deleteFrom("run").execute();
  expect(await db.selectFrom("acceptance").selectAll().execute()).toHaveLength(1);
  await db.deleteFrom("user").where("id", "=", "ada").execute();
  expect(await db.selectFrom("acceptance").selectAll().execute()).toEqual([]);
});

test("where elements are deleted, accepted ones count as open and are not called fixed; accepted rules stay off the counts", async () => {
  const run = await scan();
  await acceptances.accept("ada", run, logo, FOR_NOW);
  await acceptances.accept("ada", run, { ...cards, scope: "rule", element: null }, FOR_GOOD);
  await acceptances.accept("ada", run, { ...logo, rule: { source: "axe", ruleId: "label" } }, FOR_NOW);
  const groups = async (evidenceGone: boolean) => {
    const listed = { acceptances: await acceptances.ofWebsite("ada", run), accepted: await acceptances.ofRun(run.id), rules: await reports.allRules(run.id), withheld: new Set<string>() };
    const rows = acceptanceRows({ ...listed, evidenceGone }, { base: "/run/1", reader: "owner", locale: "en" });
    return rows.map(({ scope, path, group }) => [scope, path, group]);
  };
  const others = [["rule", "/run/1/violations/link-name", "found"], ["element", null, "notFound"]];
  expect((await groups(false)).toSorted()).toEqual([["element", "/run/1/violations/image-alt", "found"], ...others].toSorted());
  await db.deleteFrom("stored_element").execute();
  await db.updateTable("run").set({ evidence: "gone" }).execute();
  expect((await groups(true)).toSorted()).toEqual([["element", "/run/1/violations/image-alt", "unknown"], ...others].toSorted());
  expect(await counts(run)).toEqual([["image-alt", 3, 2, 0]]);
  const isUnknown = (evidence: "kept" | "gone", url = SHOP) => acceptances.isUnknownIn({ id: run.id, owner: "ada", url, evidence });
  expect([await isUnknown("gone"), await isUnknown("kept"), await isUnknown("gone", "https://other.example/")]).toEqual([true, false, false]);
});

test("a rule that the plan withholds shows neither markup nor place in the list, though it was accepted when it was open", async () => {
  const run = await scan();
  await acceptances.accept("ada", run, logo, FOR_NOW);
  const listed = { acceptances: await acceptances.ofWebsite("ada", run), accepted: await acceptances.ofRun(run.id), rules: await reports.rules(run.id), evidenceGone: false };
  const rows = (withheld: string[]) => acceptanceRows({ ...listed, withheld: new Set(withheld) }, { base: "/run/1", reader: "owner", locale: "en" });
  expect(rows(["link-name"])).toMatchObject([{ html: '<img id="logo">', pageUrl: SHOP, elements: 1 }]);
  expect(rows(["image-alt"])).toMatchObject([{ html: null, pageUrl: null, elements: 1 }]);
});
