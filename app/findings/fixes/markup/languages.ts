import { knownLanguage } from "~/platform/i18n/language-tag";
import { attributeOf, isBlank, setAttribute, type Attribute } from "./opening-tag";
import { dataOf, textsOf, type Draft, type Opened } from "./recipe";

/** Languages by the names that people put where a code belongs. */
const BY_NAME: Record<string, string> = { deutsch: "de", german: "de", englisch: "en", english: "en" };

/** A language for a page that names none: the one it names for XML, else the reader's, to be checked. */
export function pageLanguage({ tag, locale }: Opened): Draft | null {
  if (tag.name !== "html" || !isBlank(attributeOf(tag, "lang"))) return null;
  const known = knownLanguage(attributeOf(tag, "xml:lang")?.value.trim() ?? "");
  return { edits: [setAttribute(tag, "lang", known || locale)], notes: known ? [] : ["language"] };
}

/** Valid codes for those that the check found not to be any. */
export function validLanguage({ tag, checks, locale, placeholder }: Opened): Draft | null {
  const found = textsOf(dataOf(checks, "valid-lang"));
  const invalid = ["lang", "xml:lang"].flatMap((name) => {
    const attribute = attributeOf(tag, name);
    return attribute && found.some((text) => text.startsWith(`${name}="`)) ? [attribute] : [];
  });
  if (invalid.length === 0) return null;
  const certain = invalid.every((attribute) => corrected(attribute));
  // What language a part of a page is in, nobody can know who sees only its opening tag.
  const guess = tag.name === "html" ? locale : placeholder("language");
  return {
    edits: invalid.map((attribute) => setAttribute(tag, attribute.name, corrected(attribute) || guess)),
    notes: certain ? [] : [tag.name === "html" ? "language" : "placeholder"],
  };
}

/** The code that was meant, such as `de-AT` by `de_AT` or `de` by `deutsch`; "" where that cannot be told. */
function corrected({ value }: Attribute): string {
  const written = value.trim();
  const name = written.toLowerCase();
  const meant = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : knownLanguage(written.replaceAll("_", "-"));
  return meant === written ? "" : meant;
}

/** One language for HTML and XML: the one for HTML, which is the one that browsers go by. */
export function sameLanguage({ tag }: Opened): Draft | null {
  const language = knownLanguage(attributeOf(tag, "lang")?.value.trim() ?? "");
  if (!language || !attributeOf(tag, "xml:lang")) return null;
  return { edits: [setAttribute(tag, "xml:lang", language)], notes: ["sameLanguage"] };
}
