import { francAll } from "franc-min";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { hasFunctionWords, languageByFunctionWords } from "./function-words";
import { collectTexts, keepLanguages, type DeclaredText, type DetectedLanguage } from "./collect-texts";

const MOST_CHARACTERS = 30_000;
/** Length of the sample: enough for the detector; more only costs time. */
const SAMPLE_CHARACTERS = 2_000;
/** Minimum number of letters for a certain detection, in a language whose function words are unknown here. */
const CERTAIN_LETTERS = 40;
/** Minimum number of letters for a question. */
const FEWEST_LETTERS = 30;
/**
 * The detector's score of the declared language, relative to the best one (1). Of 1,170 German and English sentences with 40 to
 * 80 letters, 1.0 % were assigned to another language below 0.85 and none below 0.7; of 400 with 80 to 120 letters, none.
 */
const MOST_LIKENESS = 0.85;
const MOST_LIKENESS_IF_SHORT = 0.7;
/** Minimum number of letters of a long text. */
const LONG_LETTERS = 80;
/** Minimum number of letters of parts without `lang`, which contain names and words of other languages. */
const FEWEST_UNMARKED_LETTERS = 80;
const LONG_UNMARKED_LETTERS = 120;

/** Languages that the detector distinguishes well; others, such as Danish, are not judged. */
const WELL_KNOWN = new Set("en de fr es it pt nl pl cs hu ro sv el tr ru uk bg hr ar hi ja ko zh th vi id".split(" "));
/** Minimum ratio of the letters of the main language to those of all others. */
const LEAST_RATIO_OF_PARTS = 3;
/** Words of "Lorem ipsum", which has no language to mark. */
const FILLER_WORDS = new Set("lorem ipsum dolor amet consectetur adipiscing faucibus vestibulum pellentesque maecenas praesent aliquam feugiat luctus mauris lacinia".split(" "));
const FEWEST_FILLER_WORDS = 3;
/** Similar languages, which the detector confuses in short texts. */
const ALIKE = ["es pt", "ru uk bg", "zh ja ko"].map((group) => group.split(" "));

/** Compares the languages of a document's texts with the declared ones, and keeps the differences in its world. */
export async function detectLanguages(isolatedWorld: IsolatedWorld): Promise<void> {
  const texts = await isolatedWorld.call(collectTexts, MOST_CHARACTERS);
  const [page, ...parts] = texts;
  if (!page) return;
  const pageLanguage = otherLanguage(page) ?? languageOfParts(page, parts);
  await isolatedWorld.call(keepLanguages, [pageLanguage, ...parts.map(otherLanguage)], canJudge(page));
}

/** Language of nearly all text, by the marks of its parts, if the page has another one; null if there is none. */
export function languageOfParts(page: DeclaredText, parts: DeclaredText[]): DetectedLanguage | null {
  const declared = primaryLanguage(page.declared);
  const own = lettersOf(sampleOf(page.text));
  if (declared === null || own >= FEWEST_LETTERS) return null;
  const letters = new Map<string, number>();
  for (const { declared: tag, text, isMarked } of parts) {
    const language = isMarked ? (primaryLanguage(tag) ?? "") : declared;
    letters.set(language, (letters.get(language) ?? 0) + lettersOf(text));
  }
  const [[detected = "", most = 0] = [], [, second = 0] = []] = [...letters].sort(([, one], [, other]) => other - one);
  const isMain = detected !== "" && detected !== declared && most >= LEAST_RATIO_OF_PARTS * (own + second);
  return isMain ? { declared, detected, isCertain: false } : null;
}

/** Can the language of a text be judged? It needs enough text, and a declared language that the detector distinguishes. */
export function canJudge({ declared, text }: DeclaredText): boolean {
  const language = primaryLanguage(declared);
  return language !== null && WELL_KNOWN.has(language) && lettersOf(sampleOf(text)) >= FEWEST_LETTERS;
}

const sampleOf = (text: string) => text.replace(/https?:\S+|[\d_@#]+/g, " ").replace(/\s+/g, " ").slice(0, SAMPLE_CHARACTERS);

const lettersOf = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

/** Detected language of a text, if it differs from the declared one; null if it does not, or if it is unknown. */
export function otherLanguage(whole: DeclaredText): DetectedLanguage | null {
  const { declared, text, isMarked } = whole;
  const language = primaryLanguage(declared);
  const sample = sampleOf(text);
  const letters = lettersOf(sample);
  if (language === null || isFiller(sample)) return null;
  const byWords = isMarked || letters >= FEWEST_UNMARKED_LETTERS ? languageByFunctionWords(sample, language) : null;
  if (byWords) return { declared: language, detected: byWords, isCertain: true };
  if (!canJudge(whole)) return null;
  const ranked = francAll(sample, { minLength: 10 }).map(([code, score]) => ({ code: primaryLanguage(code) ?? "", score }));
  const detected = ranked[0]?.code ?? "";
  const likeness = ranked.find(({ code }) => code === language)?.score ?? 0;
  const isAlike = detected === language || ALIKE.some((group) => group.includes(detected) && group.includes(language));
  if (isAlike || !WELL_KNOWN.has(detected) || likeness > MOST_LIKENESS) return null;
  const isClear = likeness <= MOST_LIKENESS_IF_SHORT;
  if (!isMarked && letters < FEWEST_UNMARKED_LETTERS) return null;
  const isLong = letters >= (isMarked ? LONG_LETTERS : LONG_UNMARKED_LETTERS);
  return { declared: language, detected, isCertain: isLong || (letters >= CERTAIN_LETTERS && isClear && !hasFunctionWords(detected)) };
}

function isFiller(text: string): boolean {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu));
  return [...FILLER_WORDS].filter((word) => words.has(word)).length >= FEWEST_FILLER_WORDS;
}

/** Primary language: `de` for `de-AT` and `deu`; null for an invalid tag. */
function primaryLanguage(tag: string): string | null {
  try {
    const [canonical = ""] = Intl.getCanonicalLocales(tag);
    return /^[a-z]{2,3}(?=-|$)/.exec(canonical)?.[0] ?? null;
  } catch {
    return null;
  }
}
