import type { ElementLocation, LocationGroup } from "./report-elements.server";
import type { Category, ShownIn } from "~/scan/types";
import { conditionsOf } from "~/findings/condition-of.server";
import { elementView, isWholePage } from "~/findings/finding-views.server";
import type { Locale } from "~/platform/i18n/i18n";
import { knownLanguage } from "~/platform/i18n/language-tag";
import { reachedBy } from "~/findings/page-address";
import type { GroupView, ElementLocationView } from "./report-view";

interface RuleOfElement {
  category: Category;
  ruleId: string;
  /** All rules of the run. */
  of: { ruleId: string }[];
}

/** View of a group of elements that look the same. */
export function groupView({ elements, pages, locations }: LocationGroup, locale: Locale, rule: RuleOfElement): GroupView {
  const views = locations.map((location) => locationView(location, locale, rule));
  const [sample] = views;
  if (!sample) throw new Error("A group has an element at least.");
  return { sample, elements, pages, locations: views };
}

type Located = Omit<ElementLocation, "pageTitle" | "pageLang"> & { pageLang?: string };

export function locationView(location: Located, locale: Locale, { category, ruleId, of }: RuleOfElement): ElementLocationView {
  return {
    ...elementView(location, locale, category === "incomplete" ? "incomplete" : "violations"),
    pageId: location.pageId,
    pageUrl: location.pageUrl,
    pageReached: reachedBy({ url: location.pageUrl, finalUrl: location.pageFinalUrl }),
    position: location.position,
    context: location.context ?? null,
    isWholePage: isWholePage(location.html),
    lang: knownLanguage(location.pageLang ?? ""),
    conditions: unusual(conditionsOf(of)(ruleId, location.conditions)),
    hasPicture: location.hasPicture ?? false,
  };
}

/** Conditions to show: none if there is only the usual one. */
const unusual = (conditions: ShownIn[]) => (conditions.length === 1 && conditions[0] === "desktop" ? [] : conditions);
