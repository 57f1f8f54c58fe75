import { domainToUnicode } from "node:url";
import type { Finding } from "./finding.server";
import type { Category, ElementResult, Standard } from "~/scan/types";
import type { ElementView, LocalText, RuleView, ViolationView } from "./check-view";
import { sanitizeUntrustedText } from "./untrusted-text";
import type { Locale } from "~/platform/i18n/i18n";
import { failureSummary } from "./rules/axe/messages.server";
import { criteriaOf, criterionName } from "./rules/criteria.server";
import { fixOf, impactOnPeople } from "./rules/catalogue.server";
import { helpAddress, howToFix } from "./rules/guide.server";
import { remedyOf } from "./rules/remedies.server";
import { ruleText } from "./rules/texts.server";
import { titleOf } from "./rules/titles.server";

/** Maximum length of an address in headings (characters). */
const MAX_DISPLAYED = 80;

/** Number of elements that are described in the words of the page. */
export const SHOWN_PLACES = 3;
/** Elements that concern the whole page. */
const WHOLE_PAGE = /^<(html|body|head|title|meta)(?=[\s>/])/i;

/** Whether an element represents the page as a whole. @param html its markup */
export const isWholePage = (html: string): boolean => WHOLE_PAGE.test(html);

/**
 * @param lang of the page
 * @param pictureOf address of the picture of an element; null if there is none
 */
export function violationView(finding: Finding, locale: Locale, lang = "", pictureOf: PictureOf = () => null): ViolationView {
  const { ruleId, tags, elements } = finding;
  const people = impactOnPeople(ruleId, tags);
  const shown = elements.slice(0, SHOWN_PLACES);
  const fixes = shown.map((element) => fixOf(ruleId, element, locale));
  const [first] = fixes;
  return {
    ...ruleView(finding, "violations", locale),
    impactOnPeople: people,
    remedy: remedyOf(ruleId, people.barrier, locale),
    colors: first?.kind === "colors" ? first : null,
    places: shown.map((element, position) => ({
      context: element.context ?? null,
      isWholePage: isWholePage(element.html),
      lang,
      picture: element.hasPicture ? pictureOf(ruleId, position) : null,
    })),
    development: {
      description: descriptionOf(finding, locale),
      helpUrl: helpAddress(finding),
      howToFix: howToFix(ruleId, locale),
      elements: elements.map((element, position) => ({ ...elementView(element, locale), fix: fixes[position] ?? null })),
    },
  };
}

export type PictureOf = (ruleId: string, position: number) => string | null;

export function ruleView(
  finding: Pick<Finding, "ruleId" | "help" | "impact" | "elementCount" | "tags"> & { isMixed?: boolean },
  category: Category,
  locale: Locale,
): RuleView {
  return {
    ruleId: finding.ruleId,
    title: titleOf(finding, category, locale),
    impact: finding.impact,
    elementCount: finding.elementCount,
    criteria: criteriaOf(finding.tags).map((number) => criterionName(number, locale)),
  };
}

export function elementView(
  element: ElementResult,
  locale: Locale,
  category: "violations" | "incomplete" = "violations",
): ElementView {
  return {
    target: element.target.map((step) => (Array.isArray(step) ? step.join(" » ") : step)).join(" › "),
    html: element.html,
    htmlCut: element.htmlCut,
    fixes: failureSummary(element.checks, locale, category),
  };
}

export function descriptionOf({ ruleId, description }: Pick<Finding, "ruleId" | "description">, locale: Locale): LocalText {
  const known = ruleText(ruleId, locale);
  return known ? { text: known.description, lang: known.lang } : { text: description, lang: "en" };
}

/** Name such as `WCAG 2.2 AA`. */
export function standardName({ standard }: { standard: Standard }): string {
  return `WCAG ${standard.version} ${standard.level}`;
}

/** Address for display: two pages of a site must not look equal in a list of tabs. */
export function displayAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const name = (domainToUnicode(hostname) || hostname).replace(/^www\./, "");
  const path = pathname === "/" ? "" : pathname;
  return sanitizeUntrustedText(`${name}${port && `:${port}`}${path}`, MAX_DISPLAYED);
}

export function pick<Key extends string>(keys: readonly Key[], from: Record<Key, number>): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Record<Key, number>;
}
