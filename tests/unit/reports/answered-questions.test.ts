import { expect, test } from "vitest";
import { withoutAnswered } from "~/scan/visit/without-answered";
import type { CheckedPage, FindingResult } from "~/scan/types";

const finding = (ruleId: string, ...targets: string[]): FindingResult => ({
  ruleId,
  source: ruleId.startsWith("rampe-") ? "rampe" : "axe",
  impact: "serious",
  tags: [],
  help: "",
  description: "",
  helpUrl: "",
  elementCount: targets.length,
  elements: targets.map((target) => ({ target: [target], html: "", htmlCut: false, impact: "serious", checks: [] })),
});

const shown = ({ violations, incomplete }: CheckedPage["findings"]) =>
  [violations, incomplete].map((rules) => rules.map(({ ruleId, elements, elementCount }) => [ruleId, elementCount, ...elements.flatMap(({ target }) => target)]));

const answered = (violations: FindingResult[], incomplete: FindingResult[]) => shown(withoutAnswered({ violations, incomplete, passes: [], inapplicable: [] }));

test("a question of axe-core that our own violation answers is not asked any more; others are", () => {
  expect(answered([finding("rampe-autoplay-sound", "#song")], [finding("no-autoplay-audio", "#song", "#film")])).toEqual([[["rampe-autoplay-sound", 1, "#song"]], [["no-autoplay-audio", 1, "#film"]]]);
  expect(answered([finding("rampe-hidden-focus", "#guard")], [finding("aria-hidden-focus", "#guard")])).toEqual([[["rampe-hidden-focus", 1, "#guard"]], []]);
});

test("what axe-core reports already is reported once", () => {
  expect(answered([finding("aria-hidden-focus", "#menu"), finding("rampe-hidden-focus", "#menu", "#guard")], [])).toEqual([[["aria-hidden-focus", 1, "#menu"], ["rampe-hidden-focus", 1, "#guard"]], []]);
});

test("questions of other rules about the same element stay", () => {
  expect(answered([finding("rampe-hidden-focus", "#guard")], [finding("aria-valid-attr-value", "#guard")])).toEqual([[["rampe-hidden-focus", 1, "#guard"]], [["aria-valid-attr-value", 1, "#guard"]]]);
});
