import { expect, test } from "vitest";
import { CHANGE_KINDS, compareRule, type ComparedElement, type Side, type SideState } from "~/monitoring/compare";
import { fingerprintOf } from "~/findings/fingerprint.server";
import { createHistories } from "~/monitoring/history.server";
import { hasOtherRules } from "~/monitoring/history-view";
import { trendPoint } from "~/monitoring/history-views.server";
import type { ElementResult, FindingResult, PageResult, ShownIn } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { finishedRun, type FinishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { seeded } from "../../support/seeded";

const SHOP = "https://shop.example/";
const img = (name: string, more: Partial<ElementResult> = {}) => element({ target: [`#${name}`], html: `<img id="${name}">`, ...more });

/** Page with these elements as violations of these rules; all other requested rules passed. */
function page(violated: Record<string, ElementResult[]>, more: { url?: string; asked?: string[]; partial?: string[] } = {}): PageResult {
  const { url = SHOP, asked = ["image-alt", "label"], partial = [] } = more;
  const violations = Object.entries(violated).map(([rule, elements]) =>
    finding(rule, { impact: "critical", elementCount: elements.length, elements }),
  );
  const passes = asked.filter((rule) => !(rule in violated) && !partial.includes(rule)).map((rule) => finding(rule));
  return checkedPage({ url, partial, findings: { violations, incomplete: [], passes, inapplicable: [] } });
}

async function changes(before: PageResult[], now: PageResult[], requests: { before?: FinishedRun; now?: FinishedRun } = {}) {
  const db = await freshDatabase();
  const runs = [
    await finishedRun(db, before, { url: SHOP, at: 1_000, ...requests.before }),
    await finishedRun(db, now, { url: SHOP, at: 2_000, ...requests.now }),
  ] as const;
  return createHistories({ db }).compare(...runs);
}

const NONE = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0]));

test("fixed, remaining and new problems are distinguished", async () => {
  const { totals, rules } = await changes(
    [page({ "image-alt": [img("logo"), img("team")], label: [img("mail")] })],
    [page({ "image-alt": [img("team"), img("banner"), img("map")] })],
  );
  expect(totals).toEqual({ ...NONE, new: 2, persisting: 1, fixed: 2 });
  expect(rules.map(({ ruleId, counts }) => [ruleId, counts.new, counts.fixed])).toEqual([
    ["image-alt", 2, 1],
    ["label", 0, 1],
  ]);
  expect(rules[0]?.groups.new.map(({ element }) => element.html)).toEqual(['<img id="banner">', '<img id="map">']);
});

test("a rule about the whole site, whose result stands on one page, was asked on all pages", async () => {
  const rule = "rampe-consistent-navigation";
  const cups = `${SHOP}cups`;
  const asked = [page({}, { asked: [rule] }), page({}, { url: cups, asked: [] })];
  const violated = [page({}, { asked: [] }), page({ [rule]: [img("nav")] }, { url: cups, asked: [] })];
  expect((await changes(asked, violated)).totals).toEqual({ ...NONE, new: 1 });
  expect((await changes(violated, asked)).totals).toEqual({ ...NONE, fixed: 1 });
  expect((await changes([page({}), page({}, { url: cups })], violated)).totals).toEqual({ ...NONE, engine: 1 });
});

test("an element with a new position or hashed class names is recognised", async () => {
  const before = [
    img("a", { html: '<img class="css-1q2w3e" src="/main.8f3a2b1c.png">', target: ["li:nth-child(2) > img"] }),
    img("b", { html: "<img alt>", target: [".hero > img"] }),
    img("c", { html: '<a href="/old">Old words</a>', target: ["#teaser"] }),
  ];
  const now = [
    img("a", { html: '<img class="css-9z8y7x" src="/main.0a9b8c7d.png">', target: ["li:nth-child(3) > img"] }),
    img("b", { html: "<img alt>", target: [".wrapper > .hero-2026 > picture"] }),
    img("c", { html: '<a href="/new">New words</a>', target: ["#teaser"] }),
  ];
  const { totals } = await changes([page({ "image-alt": before })], [page({ "image-alt": now })]);
  expect(totals).toEqual({ ...NONE, persisting: 3 });
});

test.each<[string, PageResult[]]>([
  ["could not be checked", [page({}, { url: SHOP }), uncheckedPage({ url: `${SHOP}team` })]],
  ["is no longer part of the run", [page({})]],
  ["ran out of time for the rule", [page({}), page({}, { url: `${SHOP}team`, partial: ["image-alt"] })]],
  [
    "was incomplete",
    [page({}), { ...page({}, { url: `${SHOP}team` }), gaps: { frames: [], closedShadowRoots: 0, resources: 0, concealed: false, unfinished: true, late: [], missing: null } } as PageResult],
  ],
])("a problem on a page that %s does not count as fixed", async (_what, now) => {
  const before = [page({}), page({ "image-alt": [img("logo")] }, { url: `${SHOP}team` })];
  const { totals, pages } = await changes(before, now);
  expect(totals).toEqual({ ...NONE, not_checked_after: 1 });
  if (_what !== "ran out of time for the rule") expect(pages.map(({ url }) => url)).toEqual([`${SHOP}team`]);
});

test("a problem in an unchecked frame does not count as fixed", async () => {
  const before = page({ "image-alt": [img("inside", { target: ["iframe", "#inside"] }), img("outside")] });
  const now = { ...page({}), gaps: { frames: ["https://map.example/"], closedShadowRoots: 0, resources: 0, concealed: false, unfinished: false, late: [], missing: null } };
  expect((await changes([before], [now as PageResult])).totals).toEqual({ ...NONE, not_checked_after: 1, fixed: 1 });
});

test("a problem that shows only in a condition that one of the runs did not try counts neither as fixed nor as new", async () => {
  const basic = { fullVersion: "2.1" } as const;
  const advanced = [page({ "image-alt": [img("dark", { conditions: ["dark"] }), img("menu", { conditions: ["phone", "opened"] }), img("all", { conditions: ["desktop", "dark"] })] })];
  expect((await changes(advanced, [page({})], { now: basic })).totals).toEqual({ ...NONE, not_checked_after: 2, fixed: 1 });
  expect((await changes([page({})], advanced, { before: basic })).totals).toEqual({ ...NONE, not_checked_before: 2, new: 1 });
  expect((await changes(advanced, [page({})])).totals).toEqual({ ...NONE, fixed: 3 });
});

test("a problem in content that one of the runs did not open counts neither as fixed nor as new", async () => {
  const gaps = { frames: [], closedShadowRoots: 0, resources: 0, unopened: 1, concealed: false, unfinished: false, late: [], missing: null };
  const opened = [page({ "image-alt": [img("menu", { conditions: ["opened"] }), img("burger", { conditions: ["phone"], context: { opened: "Menu" } }), img("logo")] })];
  const unopened = [{ ...page({}), gaps } as PageResult];
  expect((await changes(opened, unopened)).totals).toEqual({ ...NONE, not_checked_after: 2, fixed: 1 });
  expect((await changes(unopened, opened)).totals).toEqual({ ...NONE, not_checked_before: 2, new: 1 });
});

test("a problem on a page that was not checked before does not count as new", async () => {
  const now = [page({}), page({ "image-alt": [img("logo")] }, { url: `${SHOP}new` })];
  expect((await changes([page({})], now)).totals).toEqual({ ...NONE, not_checked_before: 1 });
});

test("problems found by a new engine, or a higher level, do not count as new", async () => {
  const now = [page({ "target-size": [img("tiny")] })];
  const newer = { engines: [{ name: "axe-core" as const, version: "4.15.0" }] };
  expect((await changes([page({})], now, { now: newer })).totals).toEqual({ ...NONE, engine: 1 });
  const back = await changes([page({ "target-size": [img("tiny")] })], [page({})], { before: newer });
  expect(back.totals).toEqual({ ...NONE, not_checked_after: 1 });
});

test("elements that are only counted are taken as unchanged, not as fixed or new", async () => {
  const many = (count: number, stored: number): FindingResult =>
    finding("image-alt", { elementCount: count, elements: Array.from({ length: stored }, (_, index) => img(`n${String.fromCharCode(97 + index)}`)) });
  const with_ = (found: FindingResult) => checkedPage({ findings: { violations: [found], incomplete: [], passes: [], inapplicable: [] } });
  expect((await changes([with_(many(9, 4))], [with_(many(7, 5))])).totals).toEqual({ ...NONE, persisting: 7, fixed: 2 });
});

test("every element of both runs is counted exactly once", () => {
  const random = seeded(20_261_121);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const states: SideState[] = ["checked", "missing", "failed", "partial", "not_run"];
  const side = (): Side<ComparedElement> => {
    const state = pick(states);
    const length = state === "checked" || state === "partial" ? Math.floor(random() * 6) : 0;
    const elements = Array.from({ length }, () => {
      const identities = [pick(["a", "b", "c"]), pick(["d", "e"]), pick(["f", "g", "h"]), pick(["i", "j"])];
      return { identity: (way: number) => identities[way] ?? "", inFrame: random() < 0.3, conditions: pick<ShownIn[]>([[], ["desktop", "dark"], ["dark"]]) };
    });
    const beyond = length > 0 && random() < 0.3 ? Math.floor(random() * 4) : 0;
    return { state, lacksFrames: random() < 0.3, unseen: new Set(pick<ShownIn[]>([[], ["dark"]])), elements, count: length + beyond };
  };
  for (let round = 0; round < 1_000; round += 1) {
    const [before, now] = [side(), side()];
    const found = compareRule(before, now);
    const { persisting, fixed, not_checked_after: gone } = found;
    expect(persisting.count + fixed.count + gone.count).toBe(before.count);
    expect(persisting.count + found.new.count + found.engine.count + found.not_checked_before.count).toBe(now.count);
    if (now.state !== "checked") expect(fixed.count).toBe(0);
    if (before.state !== "checked") expect(found.new.count).toBe(0);
    const same = compareRule(now, now);
    expect(same.persisting.count).toBe(now.count);
  }
});

test("a fingerprint distinguishes elements, and ignores changes with every visit", () => {
  const of = (html: string, target: ElementResult["target"] = ["#x"]) => fingerprintOf({ html, target });
  expect(of('<img src="/a.png">')).not.toBe(of('<img src="/b.png">'));
  expect(of("<img>", ["#a"])).not.toBe(of("<img>", ["#b"]));
  expect(of('<section class="section2">')).not.toBe(of('<section class="section3">'));
  expect(of('<div id=":r1a:">')).toBe(of('<div id=":r2f:">'));
  expect(of('<script nonce="abc">')).toBe(of('<script nonce="xyz">'));
  expect(of('<p style="left: 12.5px">')).toBe(of('<p  style="left: 80px">'));
  expect(of("<img>", ["ul > li:nth-child(4)"])).toBe(of("<img>", ["ol > li:nth-child(9)"]));
});

test("runs with and without the advanced analyses have other rules", async () => {
  const db = await freshDatabase();
  const histories = createHistories({ db });
  const result = page({ "image-alt": [img("logo")] });
  await finishedRun(db, [result], { at: 1_000, fullVersion: "2.1" });
  await finishedRun(db, [result], { at: 2_000 });
  const latest = await finishedRun(db, [result], { at: 3_000 });
  const points = (await histories.entries("ada", latest)).entries.map(trendPoint);
  expect(points.map((_, index) => hasOtherRules(points, index))).toEqual([false, true, false]);
});

test("a history contains the owner's runs of one address and scope, and no one else's", async () => {
  const db = await freshDatabase();
  const histories = createHistories({ db });
  const result = page({ "image-alt": [img("logo"), img("team")] });
  const first = await finishedRun(db, [result], { at: 1_000 });
  const failed = await finishedRun(db, [uncheckedPage()], { at: 2_000 });
  const latest = await finishedRun(db, [result], { at: 3_000 });
  await finishedRun(db, [result], { at: 2_500, owner: "eve" });
  await finishedRun(db, [result], { at: 2_500, url: `${SHOP}team` });
  const thrownAway = await finishedRun(db, [result], { at: 2_600 });
  await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", thrownAway.id).execute();

  const { entries, more } = await histories.entries("ada", latest);
  expect(entries.map(({ run }) => run.id)).toEqual([first.id, failed.id, latest.id]);
  expect(entries.map(({ elements }) => elements.critical)).toEqual([2, 0, 2]);
  expect(more).toBe(false);
  expect((await histories.earlier("ada", latest)).map(({ id }) => id)).toEqual([first.id]);
});
