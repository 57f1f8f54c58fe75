import Negotiator from "negotiator";

/**
 * The first of our languages that a browser asks for by name, by `Accept-Language`; null when it asks for none. A region
 * does not matter: `en-GB` is served by `en`. `*` is no choice: the language of the path is better then.
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
