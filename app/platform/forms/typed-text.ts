/** Invisible characters, and those that change the text direction; line breaks and tabs stay. */
const INVISIBLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans the input of a single-line field. */
export const cleanLine = (typed: string): string => typed.replace(/\p{C}+/gu, " ").trim();

/** Cleans the input of a multi-line field; forms send line breaks as CR LF. */
export const cleanText = (typed: string): string => typed.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").trim();

/** Counts characters like people do: an emoji of two code units is one character. */
export const fits = (most: number) => (text: string): boolean => [...text].length <= most;
