import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { StaticRouter } from "react-router-dom/server";
import { describe, expect, test } from "vitest";
import { coveredCriteria, guidedRules, ruleGuide } from "~/findings/rules/guide.server";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { planOfRule } from "~/site/rules/plan-of-rule";
import { RuleGuide } from "~/site/rules/rule-guide";
import { RuleList } from "~/site/rules/rule-list";

const guideOf = (id: string, locale: Locale = "en") => {
  const guide = ruleGuide(id, locale);
  if (!guide) throw new Error(`There is no rule ${id}.`);
  return guide;
};

const shown = (page: ReactElement, locale: Locale) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={textsOf(locale)}>
      <StaticRouter location="/rules">{page}</StaticRouter>
    </I18nextProvider>,
  );

describe("the plans that include a rule", () => {
  test.each([
    ["image-alt", "all plans and the free check", "allen Tarifen und der kostenlosen Prüfung"],
    ["target-size", "all plans and the free check; in Basic by name and count", "allen Tarifen und der kostenlosen Prüfung; im Tarif Basic mit Namen und Anzahl"],
    ["rampe-focus-covered", "Pro and Enterprise (advanced analyses)", "Pro und Enterprise (erweiterte Analysen)"],
    ["color-contrast-enhanced", "Enterprise (level AAA)", "Enterprise (Stufe AAA)"],
    ["rampe-link-purpose-alone", "Enterprise (level AAA)", "Enterprise (Stufe AAA)"],
    ["rampe-focus-covered-enhanced", "Enterprise (level AAA)", "Enterprise (Stufe AAA)"],
  ])("%s", (id, english, german) => {
    expect(shown(<RuleGuide {...guideOf(id)} />, "en")).toContain(`<dd>${english}</dd>`);
    expect(shown(<RuleGuide {...guideOf(id, "de")} />, "de")).toContain(`<dd>${german}</dd>`);
  });

  test("are Enterprise alone for each rule of level AAA, and for no other", () => {
    const wrong = guidedRules().map((id) => guideOf(id)).filter((guide) => (planOfRule(guide) === "aaa") !== (guide.level === "AAA"));
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test("stand in the list where Basic does not run the rule", () => {
    const list = shown(<RuleList criteria={coveredCriteria("en")} ruleCount={1} />, "en");
    const marks = (id: string) => new RegExp(`href="/rules/${id}">.*?</a>(.*?)</li>`).exec(list)?.[1];
    expect(["image-alt", "target-size", "rampe-focus-covered", "color-contrast-enhanced", "rampe-focus-covered-enhanced"].map(marks)).toEqual(["", "", " (Pro)", " (Enterprise)", " (Enterprise)"]);
  });
});
