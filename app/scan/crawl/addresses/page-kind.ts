import type { AddressParts } from "./address";
import { isDate } from "./parameters";

/** Are two pages of one kind: made from one template, or of one calendar? */
export function areOfOneKind(one: AddressParts, other: AddressParts): boolean {
  if (templateOf(one) === templateOf(other)) return true;
  const calendar = calendarOf(one);
  return calendar !== undefined && calendar === calendarOf(other);
}

/**
 * Common template of similar addresses: upper segments as they are, numbers and dates as `#`, names of single items as
 * `*`, and the names of parameters. `/blog/2024/05/some-title` has the template `/blog/#/#/*`.
 */
export function templateOf({ segments, parameters }: Pick<AddressParts, "segments" | "parameters">): string {
  const path = segments.map((segment, index) => maskOf(segment, index > 0 && index === segments.length - 1));
  const names = [...new Set(parameters.map(([name]) => name))];
  return `/${path.join("/")}${names.length > 0 ? `?${names.join("&")}` : ""}`;
}

/** At the top and in the middle, a short name is a section of the site; at the end it may be an item. */
function maskOf(segment: string, isItem: boolean): string {
  const [, name = "", extension = ""] = /^(.+?)(\.[a-z]{2,5}\d?)?$/i.exec(segment) ?? [];
  if (NUMBER.test(name)) return `#${extension}`;
  const counted = /^(\D{1,20}?)(-|_|)\d+$/.exec(name);
  if (counted && !/[-_%]/.test(counted[1] ?? "")) return `${counted[1]}${counted[2]}#${extension}`;
  return isItem || isSlug(name) ? `*${extension}` : segment;
}

/** Digits, including separators of dates, times and article numbers. */
const NUMBER = /^\d[\d.,:_-]*$/;

/** Three or more words, encoded text, or a random identifier. */
const isSlug = (name: string) =>
  name.split(/[-_+]|%20/).length > 2 || name.length > 30 || /%[\dA-F]{2}|\d{3}/.test(name);

/**
 * Common key of the pages of one calendar: the address without dates. Undefined for an address without a date, or with
 * other text after it, such as an article (`/2024/05/some-title`).
 */
export function calendarOf({ segments, parameters }: AddressParts): string | undefined {
  const rest = withoutDates(segments);
  if (rest === undefined) return undefined;
  const others = parameters.filter(([name, value]) => !isDate(name, value));
  if (rest.length === segments.length && others.length === parameters.length) return undefined;
  return `/${rest.join("/")}?${others.map((each) => each.map(encodeURIComponent).join("=")).join("&")}`;
}

/** The path without the dates at its end; undefined when other segments follow a date. */
function withoutDates(segments: string[]): string[] | undefined {
  const start = segments.findIndex((segment) => YEAR.test(segment) || isFullDate(segment));
  if (start < 0) return segments;
  const isYear = YEAR.test(segments[start] ?? "");
  const isEnd = segments
    .slice(start + 1)
    .every((segment, index) => (isYear && index < 2 && isPartOfYear(segment)) || VIEW.test(segment));
  return isEnd ? segments.slice(0, start) : undefined;
}

const YEAR = /^(?:19|20|21)\d\d$/;
const YEAR_FIRST = /^(?:19|20|21)\d\d[-_.]?(?:0[1-9]|1[0-2]|w\d\d?)(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?$/i;
const YEAR_LAST = /^(?:(?:0?[1-9]|[12]\d|3[01])[-_.])?(?:0?[1-9]|1[0-2])[-_.](?:19|20|21)\d\d$/;

const isFullDate = (segment: string) => YEAR_FIRST.test(segment) || YEAR_LAST.test(segment);

const DAY_OR_MONTH = /^(?:0?[1-9]|[12]\d|3[01])$/;
const WEEK = /^(?:kw|w|week|woche)-?\d\d?$/i;
/** Names of months in English and German, in full or by the first three letters. */
const MONTH =
  /^(?:jan(?:uary?)?|feb(?:ruary?)?|march|m(?:[aä]|%C3%A4|ae)rz?|apr(?:il)?|ma[iy]|jun[ei]?|jul[iy]?|aug(?:ust)?|sep(?:tember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)$/i;
const VIEW = /^(?:year|month|week|day|list|agenda|jahr|monat|woche|tag|liste)$/i;

const isPartOfYear = (segment: string) => [DAY_OR_MONTH, WEEK, MONTH].some((each) => each.test(segment));
