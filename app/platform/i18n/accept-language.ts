import Negotiator from "negotiator";

/**
 * First of our languages that `Accept-Language` contains by name; null if there is none. The region is ignored: `en-GB` gets
 * `en`. `*` is no choice: the language of the path is better then.
 */
export function preferredLanguage<Language extends string>(
  header: string | null,
  supported: readonly Language[],
): Language | null {
  const asked = new Negotiator({ headers: { "accept-language": header ?? "" } }).languages();
  for (const range of asked) {
    const language = range.toLowerCase().split("-")[0];
    const served = supported.find((each) => each === language);
    if (served) return served;
  }
  return null;
}
