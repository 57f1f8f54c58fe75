import { describe, expect, test } from "vitest";
import { criteriaOfStandard } from "~/findings/success-criteria";
import { LOCALES } from "~/platform/i18n/i18n";
import { criterionRows } from "~/reports/criterion-rows.server";
import { verdictSchema } from "~/reports/review/criterion-form.server";
import { countsOf, criterionQuestions, questionsIn } from "~/reports/review/criterion-questions.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import type { CriterionReviews, Verdict } from "~/reports/review/verdict";
import type { RuleResult } from "~/reports/report.server";
import { freshDatabase } from "../support/database";
import { addUsers } from "../support/finished-runs";
import { finding } from "../support/page-results";

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

const failed = { criterion: "2.1.1", verdict: "not_fulfilled", note: "The menu" } as const;

test("a verdict holds in the next run of the same site or page, and only there", async () => {
  const { reviews, given } = await setUp();
  await reviews.answer("ada", SITE, failed);
  await reviews.answer("ada", PAGE, { criterion: "1.1.1", verdict: "fulfilled", note: null });
  expect(await reviews.ofRun("ada", SITE)).toEqual(new Map([["2.1.1", { verdict: "not_fulfilled", note: "The menu", by: "ada", at: 6_000 }]]));
  expect(await given("ada", { url: "https://shop.example/start", scope: "site" })).toEqual({ "2.1.1": "not_fulfilled" });
  expect(await given("ada", { ...PAGE, url: `${PAGE.url}#top` })).toEqual({ "1.1.1": "fulfilled" });
  expect(await given("ada", { ...PAGE, url: "https://shop.example/team" })).toEqual({});
  expect(await given("ada", { ...SITE, url: "https://other.example/" })).toEqual({});
  expect(await given("eve", SITE)).toEqual({});
});

test("a verdict can be changed and taken back, and goes with the account", async () => {
  const { db, reviews, given } = await setUp();
  await reviews.answer("ada", SITE, failed);
  await reviews.answer("ada", SITE, { criterion: "2.1.1", verdict: "fulfilled", note: null });
  expect(await given("ada", SITE)).toEqual({ "2.1.1": "fulfilled" });
  await reviews.answer("ada", SITE, { criterion: "2.1.1", verdict: "open", note: "ask" });
  expect(await given("ada", SITE)).toEqual({ "2.1.1": "open" });
  await reviews.answer("ada", SITE, { criterion: "2.1.1", verdict: "open", note: null });
  expect(await given("ada", SITE)).toEqual({});
  await reviews.answer("ada", SITE, failed);
  await db.deleteFrom("user").where("id", "=", "ada").execute();
  expect(await db.selectFrom("criterion_review").selectAll().execute()).toEqual([]);
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
  const ask = (reviews: CriterionReviews, rules: RuleResult[] = []) => criterionQuestions(criterionRows(AAA, rules, "de"), reviews, { at: 100, locale: "de" });
  const by = (verdict: Verdict, at = 0) => ({ verdict, note: "x", by: "Ada", at });

  test.each(LOCALES)("are complete for every criterion of every level, and different (%s)", (locale) => {
    const questions = criterionQuestions(criterionRows(AAA, [], locale), new Map(), { at: 0, locale });
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
