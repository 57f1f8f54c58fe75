import { expect, test } from "vitest";
import { addFindings } from "~/scan/visit/add-findings";
import type { FindingResult } from "~/scan/types";
import { checkedPage, element, finding } from "../../support/database/page-results";

const NOTHING = { violations: [], incomplete: [], passes: [], inapplicable: [] };
const contrast = (...targets: string[]) =>
  finding("color-contrast", { elementCount: targets.length, elements: targets.map((target) => element({ target: [target] })) });
const page = (findings: Partial<Record<keyof typeof NOTHING, FindingResult[]>>) => checkedPage({ findings: { ...NOTHING, ...findings } });

test("an element found in two conditions is one, with both", () => {
  const checked = page({ violations: [contrast("#one")] });
  addFindings(checked, { ...NOTHING, violations: [contrast("#one", "#two")] }, "phone");
  const [found] = checked.findings.violations;
  expect(found).toMatchObject({ elementCount: 2, conditions: ["desktop", "phone"] });
  expect(found?.elements.map(({ target, conditions }) => [target, conditions])).toEqual([
    [["#one"], ["desktop", "phone"]],
    [["#two"], ["phone"]],
  ]);
});

test("elements that are counted, but not listed, stay counted", () => {
  const checked = page({ violations: [{ ...contrast("#one"), elementCount: 5 }] });
  addFindings(checked, { ...NOTHING, violations: [{ ...contrast("#two"), elementCount: 3 }] }, "phone");
  expect(checked.findings.violations[0]?.elementCount).toBe(8);
});

test("a rule that passed as usual fails in the condition alone", () => {
  const checked = page({ passes: [finding("color-contrast", { elementCount: 3 })] });
  addFindings(checked, { ...NOTHING, violations: [contrast("#one")], passes: [finding("color-contrast", { elementCount: 2 })] }, "phone");
  expect(checked.findings.violations[0]).toMatchObject({ conditions: ["phone"], elements: [{ conditions: ["phone"] }] });
  expect(checked.findings.passes[0]).toMatchObject({ elementCount: 3, conditions: ["desktop", "phone"] });
});

test("a rule with nothing to judge as usual is no longer inapplicable when a condition brings something", () => {
  const checked = page({ inapplicable: [finding("color-contrast"), finding("marquee")] });
  addFindings(checked, { ...NOTHING, violations: [contrast("#one")], inapplicable: [finding("marquee")] }, "phone");
  expect(checked.findings.inapplicable.map(({ ruleId }) => ruleId)).toEqual(["marquee"]);
  addFindings(checked, { ...NOTHING, inapplicable: [finding("color-contrast")] }, "keyboard");
  expect(checked.findings.inapplicable.map(({ ruleId }) => ruleId)).toEqual(["marquee"]);
});
