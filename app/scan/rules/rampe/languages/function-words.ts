/** Frequent function words, by language (BCP 47): texts of every subject contain them, short ones too. */
const FUNCTION_WORDS: Record<string, string> = {
  de: "der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es werden aus er hat dass sie nach wird bei einer um sind noch wie einem über einen so zum haben nur oder aber vor zur bis mehr durch wir ich",
  en: "the of and to in is that for it with as was on be by this have from or had not are but which you were there would their been has when who will if what into than them they these no an at",
  es: "el la los las de que y en un una del se por con no para es su al lo como más pero sus ya este sí porque esta son entre cuando muy sin sobre también",
  fr: "le la les de des et un une du en est que qui dans pour pas au sur se par plus avec ce il ne sont cette aux ou mais son nous vous leur ses je elle",
  it: "il di che e la in un per è una del con non si le da dei nel alla sono al come lo più ma gli della anche i questo",
  nl: "de het een van en in is dat op te voor met zijn die niet aan er om ook als bij dan naar uit maar hij zij deze dit door werd wordt heeft ik je",
};

const wordsOf = new Map(Object.entries(FUNCTION_WORDS).map(([language, words]) => [language, new Set(words.split(" "))]));

export const hasFunctionWords = (language: string): boolean => wordsOf.has(language);

const FEWEST_WORDS = 3;
/** Minimum share of these words in a text: a quoted title in another language has less. */
const LEAST_SHARE = 0.25;
/** The only language that is not confused with a declared language whose function words are unknown here. */
const UNLIKE_OTHERS = "en";
const FEWEST_IF_UNKNOWN = 8;
/** Minimum share if the function words of the declared language are unknown; titles and names have few of them. */
const LEAST_SHARE_IF_UNKNOWN = 0.2;

/**
 * Language whose function words a text contains, if it contains none of the declared language.
 * @param declared primary language, such as `de`
 */
export function languageByFunctionWords(text: string, declared: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const ownWords = wordsOf.get(declared);
  const counted = [...wordsOf].filter(([language]) => language !== declared).map(([language, known]) => {
    const found = words.filter((word) => known.has(word) && !ownWords?.has(word));
    return { language, distinct: new Set(found).size, share: found.length / words.length };
  });
  const [best, second] = counted.sort((one, other) => other.distinct - one.distinct || other.share - one.share);
  if (!best || (second && second.distinct >= best.distinct)) return null;
  if (best.share < (ownWords ? LEAST_SHARE : LEAST_SHARE_IF_UNKNOWN)) return null;
  if (!ownWords) return best.language === UNLIKE_OTHERS && best.distinct >= FEWEST_IF_UNKNOWN ? best.language : null;
  const bestWords = wordsOf.get(best.language);
  if (words.some((word) => ownWords.has(word) && !bestWords?.has(word))) return null;
  return best.distinct >= FEWEST_WORDS ? best.language : null;
}
