import { describe, expect, test } from "vitest";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { LOCALES } from "~/platform/i18n/i18n";
import { criterionRows } from "~/reports/criterion-rows.server";
import { readVerdicts, verdictSchema } from "~/reports/review/criterion-form.server";
import { countsOf, criterionQuestions, questionsIn } from "~/reports/review/criterion-questions.server";
import { createCriterionReviews, markOf } from "~/reports/review/criterion-reviews.server";
import type { CriterionReviews, Verdict } from "~/reports/review/verdict";
import type { RuleResult } from "~/reports/report.server";
import { freshDatabase } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";
import { finding } from "../../support/database/page-results";

const AAA = { version: "2.2", level: "AAA" } as const;
const SITE = { url: "https://shop.example/", scope: "site" } as const;
const PAGE = { url: "https://shop.example/team?a=1", scope: "page" } as const;

async function setUp() {
  const db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  let now = 5_000;
  const reviews = createCriterionReviews({ db, now: () => (now += 1_000) });
  const given = async (owner: string, run: Parameters<typeof reviews.ofRun>[1]) => Object.fromEntries([...(await reviews.ofRun(owner, run))].map(([number, { verdict }]) => [number, verdict]));
  return { db, reviews, given };
}

function formOf(fields: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const failed = { criterion: "2.1.1", verdict: "not_fulfilled", note: "The menu" } as const;

test("a verdict holds in the next run of the same site or page, and only there", async () => {
  const { reviews, given } = await setUp();
  await reviews.answer("ada", SITE, [failed]);
  await reviews.answer("ada", PAGE, [{ criterion: "1.1.1", verdict: "fulfilled", note: null }]);
  expect(await reviews.ofRun("ada", SITE)).toEqual(new Map([["2.1.1", { verdict: "not_fulfilled", note: "The menu", by: "ada", at: 6_000 }]]));
  expect(await given("ada", { url: "https://shop.example/start", scope: "site" })).toEqual({ "2.1.1": "not_fulfilled" });
  expect(await given("ada", { ...PAGE, url: `${PAGE.url}#top` })).toEqual({ "1.1.1": "fulfilled" });
  expect(await given("ada", { ...PAGE, url: "https://shop.example/team" })).toEqual({});
  expect(await given("ada", { ...SITE, url: "https://other.example/" })).toEqual({});
  expect(await given("eve", SITE)).toEqual({});
});

test("a verdict can be changed and taken back, and goes with the account", async () => {
  const { db, reviews, given } = await setUp();
  await reviews.answer("ada", SITE, [failed]);
  await reviews.answer("ada", SITE, [{ criterion: "2.1.1", verdict: "fulfilled", note: null }]);
  expect(await given("ada", SITE)).toEqual({ "2.1.1": "fulfilled" });
  await reviews.answer("ada", SITE, [{ criterion: "2.1.1", verdict: "open", note: "ask" }]);
  expect(await given("ada", SITE)).toEqual({ "2.1.1": "open" });
  await reviews.answer("ada", SITE, [{ criterion: "2.1.1", verdict: "open", note: null }]);
  expect(await given("ada", SITE)).toEqual({});
  await reviews.answer("ada", SITE, [failed]);
  await db.deleteFrom("user").where("id", "=", "ada").execute();
  expect(await db.selectFrom("criterion_review").selectAll().execute()).toEqual([]);
});

test("a verdict does not replace one that its person has not seen, and none of those given with it is saved", async () => {
  const { reviews, given } = await setUp();
  const fulfilled = { criterion: "2.1.1", verdict: "fulfilled", note: null } as const;
  const takenBack = { ...fulfilled, verdict: "open" } as const;
  expect(await reviews.answer("ada", SITE, [{ ...failed, was: "" }])).toEqual(new Set());
  const seen = markOf(failed);
  expect(await reviews.answer("ada", SITE, [{ ...fulfilled, was: "" }, { ...fulfilled, criterion: "1.1.1", was: "" }])).toEqual(new Set(["2.1.1"]));
  expect(await given("ada", SITE)).toEqual({ "2.1.1": "not_fulfilled" });
  expect(await reviews.answer("ada", SITE, [{ ...takenBack, was: "" }])).toEqual(new Set(["2.1.1"]));
  expect(await reviews.answer("ada", SITE, [{ ...takenBack, was: markOf(fulfilled) }])).toEqual(new Set(["2.1.1"]));
  expect(await reviews.answer("ada", SITE, [{ ...failed, was: "" }, { ...fulfilled, criterion: "1.1.1", was: "" }])).toEqual(new Set());
  expect(await given("ada", SITE)).toEqual({ "1.1.1": "fulfilled", "2.1.1": "not_fulfilled" });
  expect(await reviews.answer("ada", SITE, [{ ...takenBack, criterion: "1.1.1", was: seen }])).toEqual(new Set(["1.1.1"]));
  expect(await reviews.answer("ada", SITE, [{ ...takenBack, criterion: "1.2.1", was: seen }])).toEqual(new Set());
  expect((await reviews.ofRun("ada", SITE)).get("2.1.1")?.at).toBe(6_000);
  expect(await reviews.answer("ada", SITE, [{ ...fulfilled, was: seen }])).toEqual(new Set());
  expect(await reviews.answer("ada", SITE, [takenBack])).toEqual(new Set());
  expect(await given("ada", SITE)).toEqual({ "1.1.1": "fulfilled" });
});

test("a form may leave criteria out: they stay open, unchanged verdicts stay as they are", () => {
  const criteria = ["1.1.1", "1.2.1", "1.2.2", "2.1.1"];
  const stored = { verdict: "not_fulfilled", note: "Menu\nFooter" };
  const shown = { "was-0": "", "was-1": "", "was-2": markOf(stored), "was-3": "", "verdict-2": stored.verdict, "note-2": "Menu\r\nFooter" };
  const asked = criteria.map((number): [string, string] => ["criterion", number]);
  const form = (typed: Record<string, string>) => readVerdicts(formOf([...asked, ...Object.entries({ ...shown, ...typed })]));
  expect(form({ "verdict-0": "fulfilled" })).toMatchObject({ given: [{ criterion: "1.1.1", verdict: "fulfilled", note: null, was: "" }], problems: [] });
  expect(form({ "note-2": "Menu" }).given).toEqual([{ criterion: "1.2.2", verdict: "not_fulfilled", note: "Menu", was: markOf(stored) }]);
  expect(form({}).problems).toEqual([{ field: "questions", problem: "nothing" }]);
  expect(form({ "confirm-2": "yes" }).given, "it still holds").toEqual([{ criterion: "1.2.2", ...stored, was: markOf(stored) }]);
  expect(form({ "confirm-1": "yes" }).given, "there is no verdict").toEqual([]);
  const wrong = form({ "note-1": " why ", "verdict-3": "not_fulfilled" });
  expect(wrong.problems).toEqual([
    { field: "criterion-1-2-1-verdict", problem: "verdict_missing" },
    { field: "criterion-2-1-1-note", problem: "note_missing" },
  ]);
  expect(wrong.values).toMatchObject({ "criterion-1-2-1-note": " why ", "criterion-2-1-1-verdict": "not_fulfilled" });
});

test("a form of one criterion, as programs send it, is read as well", () => {
  const form = (fields: Record<string, string>) => readVerdicts(formOf(Object.entries(fields)));
  expect(form({ criterion: "2.1.1", verdict: "not_fulfilled", note: "Menu" }).given).toEqual([{ ...failed, note: "Menu", was: undefined }]);
  expect(form({ criterion: "2.1.1", verdict: "open" }).given).toEqual([{ criterion: "2.1.1", verdict: "open", note: null, was: undefined }]);
  expect(form({ criterion: "2.1.1" }).problems).toEqual([{ field: "criterion-2-1-1-verdict", problem: "verdict_missing" }]);
  expect(form({ criterion: "x", verdict: "open" }).problems).toEqual([{ field: "questions", problem: "gone" }]);
});

test("a criterion that is not fulfilled needs a note", () => {
  const problems = (sent: object) => verdictSchema.safeParse(sent).error?.issues.map(({ path, message }) => [path.join(), message]) ?? [];
  expect(problems({ criterion: "2.1.1", verdict: "not_fulfilled", note: " " })).toEqual([["note", "note_missing"]]);
  expect(problems({ criterion: "2.1.1" })).toEqual([["verdict", "verdict_missing"]]);
  expect(problems({ criterion: "x", verdict: "open" })).toEqual([["criterion", "gone"]]);
  expect(problems({ criterion: "2.1.1", verdict: "fulfilled", note: "x".repeat(1_001) })).toEqual([["note", "note_long"]]);
  expect(verdictSchema.parse({ criterion: "1.4.10", verdict: "not_fulfilled", note: "Menu\r\nFooter" }).note).toBe("Menu\nFooter");
});

describe("the questions", () => {
  const ask = (reviews: CriterionReviews, rules: RuleResult[] = []) => criterionQuestions(criterionRows(AAA, { rules, unfinished: [] }, "de"), reviews, { at: 100, locale: "de" });
  const by = (verdict: Verdict, at = 0) => ({ verdict, note: "x", by: "Ada", at });

  test.each(LOCALES)("are complete for every criterion of every level, and different (%s)", (locale) => {
    const questions = criterionQuestions(criterionRows(AAA, { rules: [], unfinished: [] }, locale), new Map(), { at: 0, locale });
    expect(questions.map(({ number }) => number)).toEqual(criteriaOfStandard(AAA).map(({ number }) => number));
    expect(new Set(questions.map(({ question }) => question)).size).toBe(86);
    for (const { number, question, look, decide } of questions) {
      expect(question, number).toMatch(/^\p{Lu}.*\?$/u);
      expect(look, number).toMatch(/^\p{Lu}.{20,}[.?]$/u);
      expect(decide, number).toMatch(locale === "de" ? /^(Erfüllt|Nicht erfüllt)\b.*\.$/ : /^(Fulfilled|Not fulfilled)\b.*\.$/);
    }
  });

  test("are counted and filtered by what is assessed; a note alone is no verdict", () => {
    const reviews = new Map([["1.1.1", by("fulfilled")], ["2.1.1", by("not_applicable", 200)], ["2.1.2", by("open")]]);
    expect(countsOf(ask(reviews))).toEqual({ all: 86, answered: 2, open: 84 });
    expect(questionsIn("answered", ask(reviews)).map(({ number, isEarlier }) => [number, isEarlier])).toEqual([["1.1.1", true], ["2.1.1", false]]);
    expect(questionsIn("open", ask(reviews)).map(({ number }) => number)).toContain("2.1.2");
  });

  test("come with what the check found", () => {
    const rule: RuleResult = { ...finding("image-alt", { tags: ["wcag2a", "wcag111"] }), category: "violations", pages: 1, elements: 1, conditions: [null] };
    const [first, second] = ask(new Map(), [rule]);
    expect(first).toMatchObject({ number: "1.1.1", state: "failed", rules: [{ ruleId: "image-alt" }] });
    expect(second).toMatchObject({ number: "1.2.1", state: "not_tested", rules: [] });
  });
});
