import type { FailureList, LocalText } from "~/findings/check-view";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import type { Category, CheckOutcome } from "~/scan/types";
import { ENGLISH, own, translationsOf, type Template } from "./locale.server";

/** Keys of messages by category. A check that needs review may use its failure message (axe-core's `reviewOnFail`). */
const OUTCOMES: Record<Category, string[]> = {
  violations: ["fail", "incomplete", "pass"],
  incomplete: ["incomplete", "fail", "pass"],
  passes: ["pass", "incomplete", "fail"],
  inapplicable: ["pass", "incomplete", "fail"],
};

/** Placeholder for a check's data in axe-core's messages. */
const PLACEHOLDER = /\$\{\s?data(?:\.(\w+))?\s?\}/g;

/** Ratio (`4.5:1`) or font size (`12.0pt (16px)`) as axe-core writes them. */
const MEASURE = /^\d+(\.\d+)?(:1|pt \(\d+(\.\d+)?px\))$/;

/**
 * Message of a check in the requested language; otherwise in axe-core's English.
 * Plain text: it quotes the scanned page.
 */
export function checkMessage(check: CheckOutcome, locale: Locale, category: Category): LocalText {
  const translated = translationOfCheck(check, locale, category);
  return translated === undefined ? { text: check.message, lang: "en" } : { text: translated, lang: locale };
}

/**
 * Tasks for an element, or questions if a person has to decide: first the list where all are required, then the list where one
 * is enough.
 */
export function failureSummary(
  checks: CheckOutcome[],
  locale: Locale,
  category: "violations" | "incomplete",
): FailureList[] {
  const { all, any } = byGroup(checks);
  const messages = (found: CheckOutcome[]) =>
    distinct(found.map((check) => checkMessage(check, locale, category)));
  // A single item is not a choice.
  const choice = messages(any).length > 1 ? messages(any) : [];
  const duty = messages(choice.length > 0 ? all : [...all, ...any]);

  const headings = textFile(locale, "axe").summary[category];
  return [
    { heading: duty.length === 1 ? headings.one : headings.all, items: duty },
    { heading: headings.any, items: choice },
  ].filter(({ items }) => items.length > 0);
}

/** Checks by group, in the order of axe-core. */
function byGroup(checks: CheckOutcome[]) {
  const of = (group: CheckOutcome["group"]) => checks.filter((check) => check.group === group);
  return { all: [...of("none"), ...of("all")], any: of("any") };
}

function distinct(messages: LocalText[]): LocalText[] {
  return [...new Map(messages.map((message) => [message.text, message])).values()];
}

/**
 * axe-core picks a message by the check's result and its rule's settings, which are not stored. So the matching template is the
 * one that produces the stored message from the same data.
 */
function translationOfCheck({ id, data, message }: CheckOutcome, locale: Locale, category: Category): string | undefined {
  const templates = own(ENGLISH.checks, id);
  const translations = translationsOf(locale);
  if (templates === undefined || translations.length === 0) return undefined;
  const gave = (template: Template | undefined) =>
    typeof template === "string" && fill(template, data) === message;

  const path = OUTCOMES[category]
    .flatMap((outcome) => paths(templates, [outcome]))
    .find((it) => gave(at(templates, it)));
  const translated = path
    ? translations.map(({ checks }) => at(own(checks, id), path))
    : gave(ENGLISH.incompleteFallbackMessage)
    ? translations.map(({ incompleteFallbackMessage }) => incompleteFallbackMessage)
    : [];
  const template = translated.find((it) => typeof it === "string");
  return template && fill(template, data, (value) => localPlain(value, locale));
}

/** Paths of all messages at or below `start`. */
function paths(templates: Template, start: string[]): string[][] {
  const template = at(templates, start);
  if (template === undefined) return [];
  if (typeof template === "string") return [start];
  return Object.keys(template).flatMap((key) => paths(templates, [...start, key]));
}

function at(template: Template | undefined, path: string[]): Template | undefined {
  return path.reduce<Template | undefined>(
    (found, key) => (typeof found === "object" ? own(found, key) : undefined),
    template,
  );
}

/**
 * Puts a check's data into a message like axe-core's `processMessage`, but never treats data as a pattern. Data
 * comes from the scanned page and may be anything that JSON can hold.
 */
function fill(template: string, data: unknown, write = plain): string {
  return template.replace(PLACEHOLDER, (_, key: string | undefined) => write(valueOf(data, key)));
}

function valueOf(data: unknown, key: string | undefined): unknown {
  if (key === undefined) return typeof data === "string" ? data : undefined;
  if (Array.isArray(data) && key === "values") return data;
  return typeof data === "object" && data !== null ? own(data as Record<string, unknown>, key) : undefined;
}

function plain(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map((entry) => (entry === null ? "" : scalar(entry))).join(", ");
  return scalar(value);
}

// An object of a hostile page may have a `toString` that is not a function.
function scalar(value: unknown): string {
  return typeof value === "object" && value !== null ? "[object Object]" : String(value);
}

/** Value as text, with the decimal separator of the language. */
function localPlain(value: unknown, locale: Locale): string {
  const measure = typeof value === "number" || (typeof value === "string" && MEASURE.test(value));
  return measure ? plain(value).replaceAll(".", decimalSeparator(locale)) : plain(value);
}

const decimalSeparator = (locale: Locale) =>
  new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
