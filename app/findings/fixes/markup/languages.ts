import { knownLanguage } from "~/platform/i18n/language-tag";
import { attributeOf, isBlank, setAttribute, type Attribute } from "./opening-tag";
import { dataOf, textsOf, type Draft, type Opened } from "./recipe";

/** Language codes for common names of languages. */
const BY_NAME: Record<string, string> = { deutsch: "de", german: "de", englisch: "en", english: "en" };

/** Language for a page without one: that of `xml:lang`, otherwise the reader's language, to be verified. */
export function pageLanguage({ tag, locale }: Opened): Draft | null {
  if (tag.name !== "html" || !isBlank(attributeOf(tag, "lang"))) return null;
  const known = knownLanguage(attributeOf(tag, "xml:lang")?.value.trim() ?? "");
  return { edits: [setAttribute(tag, "lang", known || locale)], notes: known ? [] : ["language"] };
}

/** Replaces language codes that the check found invalid. */
export function validLanguage({ tag, checks, locale, placeholder }: Opened): Draft | null {
  const found = textsOf(dataOf(checks, "valid-lang"));
  const invalid = ["lang", "xml:lang"].flatMap((name) => {
    const attribute = attributeOf(tag, name);
    return attribute && found.some((text) => text.startsWith(`${name}="`)) ? [attribute] : [];
  });
  if (invalid.length === 0) return null;
  const certain = invalid.every((attribute) => corrected(attribute));
  // The opening tag alone does not tell the language of a part of a page.
  const guess = tag.name === "html" ? locale : placeholder("language");
  return {
    edits: invalid.map((attribute) => setAttribute(tag, attribute.name, corrected(attribute) || guess)),
    notes: certain ? [] : [tag.name === "html" ? "language" : "placeholder"],
  };
}

/** The intended code, such as `de-AT` for `de_AT` or `de` for `deutsch`; "" if it cannot be determined. */
function corrected({ value }: Attribute): string {
  const written = value.trim();
  const name = written.toLowerCase();
  const meant = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : knownLanguage(written.replaceAll("_", "-"));
  return meant === written ? "" : meant;
}

/** Equal language for HTML and XML: that of `lang`, which browsers use. */
export function sameLanguage({ tag }: Opened): Draft | null {
  const language = knownLanguage(attributeOf(tag, "lang")?.value.trim() ?? "");
  if (!language || !attributeOf(tag, "xml:lang")) return null;
  return { edits: [setAttribute(tag, "xml:lang", language)], notes: ["sameLanguage"] };
}
