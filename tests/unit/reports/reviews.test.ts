import axe from "axe-core";
import { expect, test } from "vitest";
import { guidanceOf } from "~/findings/rules/catalogue.server";
import { answerSchema, readAnswers } from "~/reports/review/form.server";
import { questionsByRule } from "~/reports/review/views.server";
import { createReviews } from "~/reports/review/review.server";
import type { ElementResult, PageResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";

const SHOP = "https://shop.example/";
const ALL = { state: "all", offset: 0, limit: 20 } as const;
const text = (name: string) => element({ target: [`#${name}`], html: `<p id="${name}">`, impact: "serious" });

function page(doubtful: ElementResult[], url = SHOP): PageResult {
  const incomplete = [finding("color-contrast", { impact: "serious", elementCount: doubtful.length, elements: doubtful })];
  return checkedPage({ url, findings: { violations: [], incomplete, passes: [], inapplicable: [] } });
}

async function setUp() {
  const db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  return { db, reviews: createReviews({ db, now: () => 5_000 }) };
}

const given = (fingerprint: string) => ({ ruleId: "color-contrast", fingerprint, answer: "no_problem" as const, reason: null });

test("equal elements on many pages are one question, with one answer for all", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("footer"), text("hero")]), page([text("footer")], `${SHOP}team`)]);
  const { groups, counts } = await reviews.groups("ada", run, ALL);
  expect(groups.map(({ sample, elements, pages }) => [sample.html, elements, pages])).toEqual([
    ['<p id="footer">', 2, 2],
    ['<p id="hero">', 1, 1],
  ]);
  expect(counts).toEqual({ all: 2, open: 2, answered: 0 });

  expect(await reviews.answer("ada", run, [given(groups[0]?.fingerprint ?? "")])).toBe(2);
  const after = await reviews.groups("ada", run, { ...ALL, state: "answered" });
  expect(after.counts).toEqual({ all: 2, open: 1, answered: 1 });
  expect(after.groups[0]?.review).toEqual({ answer: "no_problem", reason: null, by: "ada", at: 5_000 });
});

test("a question comes with the picture of an element, its context and what was measured", async () => {
  const { db, reviews } = await setUp();
  const checks = [{ group: "any" as const, id: "color-contrast", data: { messageKey: "bgImage" }, message: "Element's background color could not be determined due to a background image" }];
  const pictured = { ...text("hero"), picture: Buffer.from("as seen"), checks, context: { heading: "Offers", opened: "Menu" }, conditions: ["dark" as const] };
  const run = await finishedRun(db, [page([text("hero")]), page([pictured], `${SHOP}team`)]);
  const { groups } = await reviews.groups("ada", run, ALL);
  const [question] = questionsByRule(run.id, groups, [], "en")[0]?.questions ?? [];
  expect(question?.sample).toMatchObject({ hasPicture: true, pageUrl: `${SHOP}team`, position: 0, context: { heading: "Offers", opened: "Menu" }, conditions: ["dark"] });
  expect(question?.sample.fixes.flatMap(({ items }) => items.map((item) => item.text))).toEqual([checks[0]?.message]);
});

test("an answer is kept for the next run of the page, and only there", async () => {
  const { db, reviews } = await setUp();
  const first = await finishedRun(db, [page([text("hero")])], { at: 1_000 });
  const [group] = (await reviews.groups("ada", first, ALL)).groups;
  await reviews.answer("ada", first, [given(group?.fingerprint ?? "")]);

  const isAnswered = async (results: PageResult[], owner = "ada") => {
    const run = await finishedRun(db, results, { at: 2_000, owner });
    return (await reviews.groups(owner, run, ALL)).groups.map((each) => each.isAnswered);
  };
  expect(await isAnswered([page([text("hero")])])).toEqual([true]);
  expect(await isAnswered([page([text("hero")], `${SHOP}#top`)])).toEqual([true]);
  expect(await isAnswered([page([text("other")])])).toEqual([false]);
  expect(await isAnswered([page([text("hero")], `${SHOP}team`)])).toEqual([false]);
  expect(await isAnswered([page([text("hero")], "http://shop.example/")])).toEqual([false]);
  expect(await isAnswered([page([text("hero")])], "eve")).toEqual([false]);
});

test("a problem that a person found on one page stays one, beside later answers on others and without the elements", async () => {
  const { db, reviews } = await setUp();
  const [one, two] = [page([text("hero")]), page([text("hero")], `${SHOP}team`)];
  const answerIn = async (result: PageResult, answer: "problem" | "no_problem") => {
    const run = await finishedRun(db, [result], { at: 1_000 });
    const [group] = (await reviews.groups("ada", run, ALL)).groups;
    await reviews.answer("ada", run, [{ ...given(group?.fingerprint ?? ""), answer }]);
  };
  await answerIn(one, "problem");
  await answerIn(two, "no_problem");
  const whole = await finishedRun(db, [one, two], { at: 2_000 });
  expect([...(await reviews.answeredRules("ada", whole)).problems]).toEqual(["color-contrast"]);
  await db.deleteFrom("stored_element").execute();
  expect([...(await reviews.answeredRules("ada", { ...whole, evidence: "gone" })).problems]).toEqual(["color-contrast"]);
  expect([...(await reviews.answeredRules("eve", { ...whole, evidence: "gone" })).problems]).toEqual([]);
  const other = await finishedRun(db, [two], { at: 3_000 });
  expect([...(await reviews.answeredRules("ada", { ...other, evidence: "gone" })).problems]).toEqual([]);
});

test("a rule is settled once every one of its places, also unlisted ones, was answered with no problem", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("hero"), text("footer")])]);
  const answerAll = async (...answers: ("problem" | "no_problem" | "ignore")[]) => {
    const { groups } = await reviews.groups("ada", run, ALL);
    await reviews.answer("ada", run, answers.map((answer, index) => ({ ...given(groups[index]?.fingerprint ?? ""), answer, reason: answer === "ignore" ? "Not ours" : null })));
    return [...(await reviews.answeredRules("ada", run)).settled];
  };
  expect(await answerAll("no_problem")).toEqual([]);
  expect(await answerAll("no_problem", "ignore")).toEqual([]);
  expect(await answerAll("no_problem", "no_problem")).toEqual(["color-contrast"]);
  expect([...(await reviews.answeredRules("eve", run)).settled]).toEqual([]);
  await db.updateTable("finding").set({ element_count: 3 }).where("category", "=", "incomplete").execute();
  expect(await answerAll("no_problem", "no_problem")).toEqual([]);
});

test("an answer can be changed, and exports find it by page, rule and element", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("hero")])]);
  const [group] = (await reviews.groups("ada", run, ALL)).groups;
  await reviews.answer("ada", run, [given(group?.fingerprint ?? "")]);
  await reviews.answer("ada", run, [{ ...given(group?.fingerprint ?? ""), answer: "ignore", reason: "a logo" }]);
  const answerOf = await reviews.answersOf("ada", run);
  expect(answerOf({ pageUrl: SHOP, rule: { source: "axe", ruleId: "color-contrast" }, element: text("hero") })).toMatchObject({ answer: "ignore", reason: "a logo" });
  expect(answerOf({ pageUrl: SHOP, rule: { source: "axe", ruleId: "link-in-text-block" }, element: text("hero") })).toBeUndefined();
  expect(await db.selectFrom("review").selectAll().execute()).toHaveLength(1);
});

test("an answer to a question that the run does not have is refused", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("hero")])]);
  expect(await reviews.answer("ada", run, [given("AAAAAAAAAAAAAAAAAAAAAA")])).toBe(0);
  expect(await db.selectFrom("review").selectAll().execute()).toEqual([]);
});

test("three hundred questions are paginated, in an order that answers do not change", async () => {
  const { db, reviews } = await setUp();
  const names = Array.from({ length: 300 }, (_, index) => `row-${String.fromCharCode(97 + (index % 26))}-${index}-x`);
  const run = await finishedRun(db, [page(names.map(text))]);
  const part = async (offset: number) => (await reviews.groups("ada", run, { ...ALL, offset })).groups.map(({ fingerprint }) => fingerprint);
  const [first, second] = [await part(0), await part(20)];
  expect(new Set([...first, ...second]).size).toBe(40);
  await reviews.answer("ada", run, [given(first[3] ?? "")]);
  expect([await part(0), await part(20)]).toEqual([first, second]);
});

test("open questions that are answered since a time stay in their list, where they were", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("footer"), text("hero"), text("aside")])]);
  const open = async (since?: number) => (await reviews.groups("ada", run, { ...ALL, state: "open", since })).groups.map(({ fingerprint }) => fingerprint);
  const before = await open();
  await reviews.answer("ada", run, [given(before[0] ?? "")]);
  expect(await Promise.all([open(), open(5_001), open(4_000)])).toEqual([before.slice(1), before.slice(1), before]);
  expect(await reviews.groups("ada", run, { ...ALL, state: "open", since: 4_000, limit: 1 })).toMatchObject({ listed: 3, counts: { all: 3, open: 2, answered: 1 } });
});

test("ignoring a question requires a reason", () => {
  const sent = { rule: "label", group: "A".repeat(22), answer: "ignore" };
  expect(answerSchema.safeParse(sent).error?.issues.map(({ path, message }) => [path, message])).toEqual([[["reason"], "reason_missing"]]);
  expect(answerSchema.safeParse({ ...sent, reason: "  " }).success).toBe(false);
  expect(answerSchema.safeParse({ ...sent, reason: "a logo" }).success).toBe(true);
  expect(answerSchema.safeParse({ ...sent, answer: "problem" }).success).toBe(true);
});

test("many questions are answered at once, or none of them", async () => {
  const { db, reviews } = await setUp();
  const run = await finishedRun(db, [page([text("footer"), text("hero")])]);
  const { groups } = await reviews.groups("ada", run, ALL);
  const all = groups.map(({ fingerprint }) => given(fingerprint));
  expect(await reviews.answer("ada", run, [...all, given("AAAAAAAAAAAAAAAAAAAAAA")])).toBe(0);
  expect((await reviews.groups("ada", run, ALL)).counts.answered).toBe(0);
  expect(await reviews.answer("ada", run, all)).toBe(2);
  expect((await reviews.groups("ada", run, ALL)).counts.answered).toBe(2);
});

test("a form may leave questions out: they stay open, unchanged answers stay as they are", () => {
  const groups = ["a", "b", "c", "d"].map((letter) => letter.repeat(22));
  const form = (fields: Record<string, string>) => {
    const sent = new FormData();
    for (const group of groups) {
      sent.append("rule", "label");
      sent.append("group", group);
    }
    for (const [name, value] of Object.entries(fields)) sent.append(name, value);
    return readAnswers(sent);
  };
  const shown = { "answer-2": "problem", "reason-2": "No label", "was-2": "problem No label" };
  const read = form({ ...shown, "answer-0": "problem", "reason-0": "", "answer-3": "ignore", "reason-3": " a logo " });
  expect(read.problems).toEqual([]);
  expect(read.given).toEqual([
    { ruleId: "label", fingerprint: groups[0], answer: "problem", reason: null },
    { ruleId: "label", fingerprint: groups[3], answer: "ignore", reason: "a logo" },
  ]);
  expect(form({ ...shown, "reason-2": "No name" }).given).toEqual([{ ruleId: "label", fingerprint: groups[2], answer: "problem", reason: "No name" }]);
  expect(form(shown).problems).toEqual([{ field: "questions", problem: "nothing" }]);
  const wrong = form({ "reason-1": "why", "answer-3": "ignore" });
  expect(wrong.problems).toEqual([
    { field: `label-${groups[1]}-answer`, problem: "answer_missing" },
    { field: `label-${groups[3]}-reason`, problem: "reason_missing" },
  ]);
  expect(wrong.values).toMatchObject({ [`label-${groups[1]}-reason`]: "why", [`label-${groups[3]}-answer`]: "ignore" });
});

test("a form of more questions than any page shows is refused as a whole", () => {
  const sent = new FormData();
  for (let at = 0; at < 101; at += 1) {
    sent.append("rule", "label");
    sent.append("group", String(at).padStart(22, "A"));
    sent.append(`answer-${at}`, "problem");
  }
  expect(readAnswers(sent).problems).toEqual([{ field: "questions", problem: "gone" }]);
});

test("every rule explains what to look at", () => {
  for (const { ruleId, tags } of axe.getRules()) expect(guidanceOf(ruleId, tags).name, ruleId).not.toBe("other");
});
