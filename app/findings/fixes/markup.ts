import type { FixableElement } from "~/findings/rules/rule";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { textOf, type MarkupFix } from "./fix";
import { applyEdits, readOpeningTag } from "./markup/opening-tag";
import type { Opened, Placeholder, Recipe } from "./markup/recipe";

/** Elements whose content is the whole page. */
const PAGE_PARTS = ["html", "head", "body"];

/**
 * An element's markup before and after a fix, with minimal changes. Null if rule, element and data do not determine the
 * fix. Content that only a person can know is a placeholder in square brackets, in the reader's language.
 */
export const fixMarkup = (recipe: Recipe) => (element: FixableElement, locale: Locale) => fixed(element, recipe, locale);

function fixed(element: FixableElement, recipe: Recipe, locale: Locale): MarkupFix | null {
  const tag = readOpeningTag(element.html);
  if (!tag) return null;
  const tagAlone = element.htmlCut || PAGE_PARTS.includes(tag.name);
  const words: Record<Placeholder, string> = textFile(locale, "fixes").placeholders;
  const opened: Opened = {
    html: tagAlone ? element.html.slice(0, tag.end) : element.html,
    tag,
    checks: element.checks,
    locale,
    placeholder: (name) => `[${words[name]}]`,
    word: (name) => words[name],
  };
  const draft = recipe(opened);
  if (!draft) return null;
  const { before, after } = applyEdits(draft.html ?? opened.html, draft.edits);
  if (textOf(before) === textOf(after)) return null;
  return { kind: "markup", before, after, notes: draft.notes };
}
