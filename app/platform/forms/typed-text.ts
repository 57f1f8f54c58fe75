import { calendarDay } from "~/platform/i18n/calendar-date";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** Invisible characters, and those that change the text direction; line breaks and tabs stay. */
const INVISIBLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans the input of a single-line field. */
export const cleanLine = (typed: string): string => typed.replace(/\p{C}+/gu, " ").trim();

/** Cleans the input of a multi-line field; forms send line breaks as CR LF. */
export const cleanText = (typed: string): string => typed.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").trim();

/** A day as typed: `31.1.2027` becomes `2027-01-31`, anything else stays. Not every browser has a field for dates. */
export const dayTyped = (typed: string): string =>
  typed.trim().replace(/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/, (_whole, day: string, month: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);

/** The day of a time (Unix time in ms) as its reader types it: `31.1.2027` where `dayTyped` understands their order, else `2027-01-31`. */
export function dayToType(at: number, locale: string): string {
  const day = calendarDay(at);
  const numbers = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric", year: "numeric", timeZone: TIME_ZONE }).format(at);
  return dayTyped(numbers) === day ? numbers : day;
}

/** Counts characters like people do: an emoji of two code units is one character. */
export const fits = (most: number) => (text: string): boolean => [...text].length <= most;
