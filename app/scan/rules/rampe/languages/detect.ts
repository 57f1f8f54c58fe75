import { francAll } from "franc-min";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { collectTexts, keepLanguages, type DeclaredText, type DetectedLanguage } from "./collect-texts";

const MOST_CHARACTERS = 30_000;
/** Enough for the detector; more costs time only. */
const SAMPLE_CHARACTERS = 2_000;
/** Letters from which on a detection is certain, and from which on it is worth a question. */
const CERTAIN_LETTERS = 40;
const FEWEST_LETTERS = 30;
/** The detector's score of the declared language, where that of the best one is 1. */
const MOST_LIKENESS = 0.85;

/** Languages that the detector tells apart well. */
const WELL_KNOWN = new Set("en de fr es it pt nl pl cs sk hu ro sv da nb fi el tr ru uk bg hr sl et lv lt ar he hi ja ko zh th vi id".split(" "));
/** Neighbours that short texts do not tell apart. */
const ALIKE = ["da nb nn no sv", "hr bs sr sl", "id ms jv su", "cs sk", "es gl ca pt", "ru uk be bg mk", "nl af", "tr az", "zh ja ko"].map((group) => group.split(" "));

/** Compares the languages of the texts of a document with what it declares, and keeps the differences in its world. */
export async function detectLanguages(isolatedWorld: IsolatedWorld): Promise<void> {
  const texts = await isolatedWorld.call(collectTexts, MOST_CHARACTERS);
  await isolatedWorld.call(keepLanguages, texts.map(otherLanguage));
}

/** The language of a text, if it is another one than declared; null if it is not, or if nothing can be said. */
export function otherLanguage({ declared, text }: DeclaredText): DetectedLanguage | null {
  const language = primaryLanguage(declared);
  const sample = text.replace(/https?:\S+|[\d_@#]+/g, " ").replace(/\s+/g, " ").slice(0, SAMPLE_CHARACTERS);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (language === null || letters < FEWEST_LETTERS) return null;
  const ranked = francAll(sample, { minLength: 10 }).map(([code, score]) => ({ code: primaryLanguage(code) ?? "", score }));
  const detected = ranked[0]?.code ?? "";
  const likeness = ranked.find(({ code }) => code === language)?.score ?? 0;
  const isAlike = detected === language || ALIKE.some((group) => group.includes(detected) && group.includes(language));
  if (isAlike || !WELL_KNOWN.has(detected) || likeness > MOST_LIKENESS) return null;
  return { declared: language, detected, isCertain: letters >= CERTAIN_LETTERS };
}

/** `de` for `de-AT` and `deu`; null if it is no language. */
function primaryLanguage(tag: string): string | null {
  try {
    const [canonical = ""] = Intl.getCanonicalLocales(tag);
    return /^[a-z]{2,3}(?=-|$)/.exec(canonical)?.[0] ?? null;
  } catch {
    return null;
  }
}
