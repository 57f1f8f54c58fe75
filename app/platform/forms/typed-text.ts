import { calendarDay } from "~/platform/i18n/calendar-date";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** Invisible characters, and characters that change the text direction; line breaks and tabs are not included. */
const INVISIBLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans the input of a single-line field. */
export const cleanLine = (typed: string): string => typed.replace(/\p{C}+/gu, " ").trim();

/** Cleans the input of a multi-line field; forms send line breaks as CR LF. */
export const cleanText = (typed: string): string => typed.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").trim();

/** Date as typed: `31.1.2027` becomes `2027-01-31`, other text stays unchanged. Not every browser has a date field. */
export const dayTyped = (typed: string): string =>
  typed.trim().replace(/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/, (_whole, day: string, month: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);

/** Date for a text field, from a time (Unix time in ms): `31.1.2027` if `dayTyped` accepts that order in this locale, else `2027-01-31`. */
export function dayToType(at: number, locale: string): string {
  const day = calendarDay(at);
  const numbers = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric", year: "numeric", timeZone: TIME_ZONE }).format(at);
  return dayTyped(numbers) === day ? numbers : day;
}

/** Length check by visible characters: an emoji of two code units is one character. */
export const fits = (most: number) => (text: string): boolean => [...text].length <= most;
