import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { hovered } from "../../support/scan/hostile/used";
import { describeHostileOperation } from "../../support/scan/hostile-operation";
import { judgeByScan } from "../../support/scan/judge-page";
import { readRuleCases } from "../../support/scan/rule-cases";
import { testScanner } from "../../support/scan/scanner";
import { openSite, pageWith, type Site } from "../../support/scan/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria }, pageSeconds: 30 });
afterAll(() => scanner.stop());

describe("rules about what appears below the pointer", () => {
  const cases = readRuleCases().filter(({ ruleId }) => CONDITION_OF.get(ruleId) === "hover");
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.each(cases.map((each, index) => ({ ...each, index })))("$ruleId, $expected: $title", async ({ ruleId, expected, index }) => {
    expect(await judgeByScan(scanner, site.url(`/${index}`), ruleId)).toBe(expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

describeHostileOperation("the pointer on hostile pages", hovered, [...CONDITION_OF.keys()].filter((id) => CONDITION_OF.get(id) === "hover"));
