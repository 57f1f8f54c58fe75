import germanCriteria from "locales/de/criteria.json";
import englishCriteria from "locales/en/criteria.json";
import type { Locale } from "~/platform/i18n/i18n";
import { LEVELS, type Level } from "~/scan/types";

const CRITERIA: Record<Locale, Record<string, string>> = { de: germanCriteria, en: englishCriteria };

/** The success criteria that a rule's tags name, in order: `["1.4.3"]` for `wcag143`. Best practices have none. */
export function criteriaOf(tags: string[]): string[] {
  return tags
    .flatMap((tag) => {
      const [, principle, guideline, criterion] = /^wcag(\d)(\d)(\d{1,2})$/.exec(tag) ?? [];
      return criterion ? [`${principle}.${guideline}.${criterion}`] : [];
    })
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** The conformance level that a rule's tags name, `AA` for `wcag21aa`; null for best practices. */
export function levelOf(tags: string[]): Level | null {
  return (
    LEVELS.find((level) => tags.some((tag) => /^wcag2\d?(a+)$/.exec(tag)?.[1] === level.toLowerCase())) ??
    null
  );
}

/** A success criterion by number and name: "1.4.3 Kontrast (Minimum)". */
export function criterionName(number: string, locale: Locale): string {
  const name = Object.hasOwn(CRITERIA[locale], number) && CRITERIA[locale][number];
  return name ? `${number} ${name}` : number;
}
