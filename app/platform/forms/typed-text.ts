/** What nobody sees, and what turns the direction of what follows; line breaks and tabs stay. */
const INVISIBLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** What was typed into a field of one line. */
export const cleanLine = (typed: string): string => typed.replace(/\p{C}+/gu, " ").trim();

/** What was typed into a field of several lines; forms send their breaks as CR LF. */
export const cleanText = (typed: string): string => typed.replace(/\r\n?/g, "\n").replace(INVISIBLE, "").trim();

/** As people count: an emoji of two code units is one character. */
export const fits = (most: number) => (text: string): boolean => [...text].length <= most;
