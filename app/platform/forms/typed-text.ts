/** Invisible characters, and those that change the text direction; line breaks and tabs stay. */
const INVISIBLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans the input of a single-line field. */
export const cleanLine = (typed: string): string => typed.replace(/\p{C}+/gu, " ").trim();

/** Cleans the input of a multi-line field; forms send line breaks as CR LF. */
export const cleanText = (typed: string): string => typed.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").trim();

/** A day as typed: `31.1.2027` becomes `2027-01-31`, anything else stays. Not every browser has a field for dates. */
export const dayTyped = (typed: string): string =>
  typed.trim().replace(/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/, (_whole, day: string, month: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);

/** Counts characters like people do: an emoji of two code units is one character. */
export const fits = (most: number) => (text: string): boolean => [...text].length <= most;
