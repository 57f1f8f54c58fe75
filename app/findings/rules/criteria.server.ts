import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { LEVELS, type Level } from "~/scan/types";

/** Success criteria in a rule's tags, in order: `["1.4.3"]` for `wcag143`. Best practices have none. */
export function criteriaOf(tags: string[]): string[] {
  return tags
    .flatMap((tag) => {
      const [, principle, guideline, criterion] = /^wcag(\d)(\d)(\d{1,2})$/.exec(tag) ?? [];
      return criterion ? [`${principle}.${guideline}.${criterion}`] : [];
    })
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Conformance level in a rule's tags: `AA` for `wcag21aa`; null for best practices. */
export function levelOf(tags: string[]): Level | null {
  return (
    LEVELS.find((level) => tags.some((tag) => /^wcag2\d?(a+)$/.exec(tag)?.[1] === level.toLowerCase())) ??
    null
  );
}

/** Number and name of a success criterion: "1.4.3 Kontrast (Minimum)". */
export function criterionName(number: string, locale: Locale): string {
  const names: Record<string, string> = textFile(locale, "criteria");
  const name = Object.hasOwn(names, number) && names[number];
  return name ? `${number} ${name}` : number;
}
