import { describe, expect, test } from "vitest";
import { criteriaOfStandard, stateOfCriterion, type CriterionState } from "~/findings/success-criteria";
import { conditionRows, criterionRows } from "~/reports/criterion-rows.server";
import type { RuleResult } from "~/reports/report.server";
import type { Category, Standard } from "~/scan/types";
import { finding } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

/** Results of a run in which all rules finished. */
const whole = (rules: RuleResult[]) => ({ rules, unfinished: [] });
const numbers = (standard: Standard) => criteriaOfStandard(standard).map(({ number }) => number);

describe("the success criteria of a standard", () => {
  // Counted in the recommendations; without 4.1.1, which counts as always met since 2023.
  test.each<[Standard["version"], Standard["level"], number]>([
    ["2.1", "A", 29],
    ["2.1", "AA", 49],
    ["2.1", "AAA", 77],
    ["2.2", "A", 31],
    ["2.2", "AA", 55],
    ["2.2", "AAA", 86],
  ])("WCAG %s %s has as many as the recommendation", (version, level, count) => {
    const found = numbers({ version, level });
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
  });

  test("are in the order of the recommendation, 1.4.10 after 1.4.9", () => {
    const found = numbers({ version: "2.2", level: "AAA" });
    expect(found.slice(found.indexOf("1.4.9"), found.indexOf("1.4.9") + 2)).toEqual(["1.4.9", "1.4.10"]);
    expect([found[0], found.at(-1)]).toEqual(["1.1.1", "4.1.3"]);
  });

  test("have their clause of EN 301 549, except for AAA and criteria newer than the norm", () => {
    const clauses = Object.fromEntries(criteriaOfStandard({ version: "2.2", level: "AAA" }).map(({ number, clause }) => [number, clause]));
    expect(clauses).toMatchObject({ "1.1.1": "9.1.1.1", "1.4.3": "9.1.4.3", "2.5.4": "9.2.5.4", "1.4.6": null, "2.4.11": null, "2.5.8": null, "3.3.8": null });
  });

  test("have a name in both languages", () => {
    for (const locale of ["de", "en"] as const) {
      for (const { number, name } of criterionRows({ version: "2.2", level: "AAA" }, whole([]), locale)) expect(name, number).toMatch(/^\p{L}/u);
    }
  });
});

describe("the state of a success criterion", () => {
  test.each<[Category[], CriterionState]>([
    [["passes", "violations", "incomplete"], "failed"],
    [["incomplete", "passes", "inapplicable"], "review"],
    [["passes"], "nothing_found"],
    [["inapplicable"], "nothing_found"],
    [[], "not_tested"],
  ])("for results in %j: %s", (categories, state) => {
    expect(stateOfCriterion(new Set(categories))).toBe(state);
  });

  test("comes from its rules, with those that need review", () => {
    const rule = (ruleId: string, category: Category, tags: string[]): RuleResult => ({ ...finding(ruleId, { tags }), category, pages: 1, elements: 1, conditions: [null] });
    const rows = criterionRows(
      WCAG22AA,
      whole([
        rule("color-contrast", "violations", ["wcag2aa", "wcag143"]),
        rule("color-contrast", "incomplete", ["wcag2aa", "wcag143"]),
        rule("label", "incomplete", ["wcag2a", "wcag412", "wcag131"]),
        rule("image-alt", "passes", ["wcag2a", "wcag111"]),
        rule("region", "violations", ["best-practice"]),
        rule("identical-links-same-purpose", "violations", ["wcag2aaa", "wcag249"]),
      ]),
      "en",
    );
    const stateOf = (number: string) => rows.find((row) => row.number === number)?.state;
    expect(["1.1.1", "1.3.1", "1.4.3", "4.1.2", "2.4.3"].map(stateOf)).toEqual(["nothing_found", "review", "failed", "review", "not_tested"]);
    expect(rows.find(({ number }) => number === "1.4.3")?.rules.map(({ category }) => category)).toEqual(["violations", "incomplete"]);
    expect(stateOf("2.4.9")).toBeUndefined();
    expect(rows.filter(({ state }) => state === "failed")).toHaveLength(1);
  });
});

describe("the state of a success criterion with a rule that did not finish on some page", () => {
  const rule = (ruleId: string, category: Category, tags: string[], conditions: RuleResult["conditions"] = [null]): RuleResult => ({ ...finding(ruleId, { tags }), category, pages: 1, elements: 1, conditions });
  const rules = [
    rule("image-alt", "violations", ["wcag2a", "wcag111"]),
    rule("label", "incomplete", ["wcag2a", "wcag412"]),
    rule("color-contrast", "passes", ["wcag2aa", "wcag143"], ["desktop", "dark"]),
    rule("rampe-focus-visible", "passes", ["wcag2aa", "wcag247"]),
    rule("rampe-sideways-scrolling", "passes", ["wcag21aa", "wcag1410"]),
  ];
  const stateIn = (unfinished: string[], number: string) => criterionRows(WCAG22AA, { rules, unfinished }, "en").find((row) => row.number === number)?.state;
  const statesIn = (unfinished: string[], number: string) => {
    const states = conditionRows(WCAG22AA, { rules, unfinished }, "en").find((row) => row.number === number)?.states;
    return Object.fromEntries(Object.entries(states ?? {}).filter(([, state]) => state !== "not_tested"));
  };

  test("says so instead of `nothing found`, also if the rule has no result at all", () => {
    expect(stateIn(["rampe-focus-visible"], "2.4.7")).toBe("unfinished");
    expect(stateIn([], "2.4.7")).toBe("nothing_found");
    expect(stateIn(["rampe-keyboard-trap"], "2.1.2")).toBe("unfinished");
    expect(stateIn(["no-such-rule"], "2.1.2")).toBe("not_tested");
  });

  test("stays failed, or to be reviewed, if something was found", () => {
    expect([stateIn(["image-alt"], "1.1.1"), stateIn(["label"], "4.1.2")]).toEqual(["failed", "review"]);
  });

  test("says so in the rule's own condition", () => {
    expect(statesIn(["rampe-focus-visible"], "2.4.7")).toEqual({ keyboard: "unfinished" });
    expect(statesIn(["rampe-keyboard-trap"], "2.1.2")).toEqual({ keyboard: "unfinished" });
    expect(statesIn(["rampe-focus-visible"], "1.4.10")).toEqual({ phone: "nothing_found" });
  });

  test("says so in each condition in which the rule may have been interrupted", () => {
    expect(statesIn(["color-contrast"], "1.4.3")).toEqual({ desktop: "unfinished", dark: "unfinished" });
    expect(statesIn([], "1.4.3")).toEqual({ desktop: "nothing_found", dark: "nothing_found" });
  });
});

describe("the state of a success criterion in each condition", () => {
  const rule = (ruleId: string, category: Category, tags: string[]): RuleResult => ({ ...finding(ruleId, { tags }), category, pages: 1, elements: 1, conditions: [null] });
  const contrast = rule("color-contrast", "violations", ["wcag2aa", "wcag143"]);

  test("comes from the rules that ran in it", () => {
    const rows = conditionRows(
      WCAG22AA,
      whole([
        contrast,
        rule("rampe-sideways-scrolling", "violations", ["wcag21aa", "wcag1410"]),
        rule("rampe-lost-control", "passes", ["wcag21aa", "wcag1410"]),
        rule("rampe-text-spacing", "passes", ["wcag21aa", "wcag1412"]),
        rule("avoid-inline-spacing", "violations", ["wcag21aa", "wcag1412"]),
        rule("rampe-keyboard-trap", "inapplicable", ["wcag2a", "wcag212"]),
      ]),
      "en",
    );
    const none = { desktop: "not_tested", phone: "not_tested", portrait: "not_tested", landscape: "not_tested", "zoom-200": "not_tested", "text-200": "not_tested", "text-spacing": "not_tested", dark: "not_tested", "forced-colors": "not_tested", "reduced-motion": "not_tested", keyboard: "not_tested", hover: "not_tested", opened: "not_tested", forms: "not_tested" };
    expect(rows.map(({ number, states }) => [number, states])).toEqual([
      ["1.4.10", { ...none, phone: "failed" }],
      ["1.4.12", { ...none, desktop: "failed", "text-spacing": "nothing_found" }],
      ["2.1.2", { ...none, keyboard: "nothing_found" }],
    ]);
  });

  test("is not told of criteria that are tested in the usual condition alone", () => {
    expect(conditionRows(WCAG22AA, whole([contrast, rule("rampe-sideways-scrolling", "passes", ["wcag21aa", "wcag1410"])]), "en").map(({ number }) => number)).toEqual(["1.4.10"]);
  });

  test("is not told of a check without advanced analyses, in which nobody used the page", () => {
    expect(conditionRows(WCAG22AA, whole([contrast, rule("rampe-focus-removed", "passes", ["wcag2a", "wcag211"])]), "en")).toEqual([]);
  });
});
