import type { ElementResult } from "~/scan/types";
import type { Locale } from "~/platform/i18n/i18n";
import german from "locales/de/fixes.json";
import english from "locales/en/fixes.json";
import { textOf, type MarkupFix } from "./fix";
import { knownAttributes, lowerCaseValues, nativeState, requiredAttributes } from "./markup/aria";
import { captioned, changeableSpacing, replacing, uniqueId, without, withValue } from "./markup/attributes";
import { pageLanguage, sameLanguage, validLanguage } from "./markup/languages";
import { labelled, nameBy, nameByContent, titled } from "./markup/names";
import { applyEdits, readOpeningTag } from "./markup/opening-tag";
import type { Opened, Placeholder, Recipe } from "./markup/recipe";
import { zoomable } from "./markup/viewport";

/** By axe-core's rule id. Other rules cannot be fixed from the element's markup alone. */
const RECIPES = new Map<string, Recipe>([
  ["area-alt", nameBy("alt", "link")],
  ["aria-allowed-attr", lowerCaseValues],
  ["aria-command-name", nameBy("aria-label", "button")],
  ["aria-conditional-attr", nativeState],
  ["aria-dialog-name", nameBy("aria-label", "name")],
  ["aria-hidden-body", without("aria-hidden")],
  ["aria-input-field-name", nameBy("aria-label", "field")],
  ["aria-meter-name", nameBy("aria-label", "name")],
  ["aria-progressbar-name", nameBy("aria-label", "name")],
  ["aria-required-attr", requiredAttributes],
  ["aria-tab-name", nameBy("aria-label", "name")],
  ["aria-toggle-field-name", nameBy("aria-label", "field")],
  ["aria-tooltip-name", nameBy("aria-label", "name")],
  ["aria-treeitem-name", nameBy("aria-label", "name")],
  ["aria-valid-attr", knownAttributes],
  ["avoid-inline-spacing", changeableSpacing],
  ["button-name", nameByContent("button")],
  ["document-title", titled],
  ["duplicate-id-aria", uniqueId],
  ["frame-title", nameBy("title", "frame")],
  ["html-has-lang", pageLanguage],
  ["html-lang-valid", validLanguage],
  ["html-xml-lang-mismatch", sameLanguage],
  ["image-alt", nameBy("alt", "image", "decorative")],
  ["image-redundant-alt", replacing("alt", "")],
  ["input-button-name", nameBy("value", "button")],
  ["input-image-alt", nameBy("alt", "button")],
  ["label", labelled],
  ["label-title-only", labelled],
  ["link-name", nameByContent("link")],
  ["meta-viewport", zoomable(2)],
  ["meta-viewport-large", zoomable(5)],
  ["no-autoplay-audio", without("autoplay")],
  ["object-alt", nameBy("aria-label", "image")],
  ["role-img-alt", nameBy("aria-label", "image")],
  ["scrollable-region-focusable", withValue("tabindex", "0")],
  ["select-name", labelled],
  ["summary-name", nameByContent("name")],
  ["svg-img-alt", nameBy("aria-label", "image")],
  ["tabindex", replacing("tabindex", "0")],
  ["valid-lang", validLanguage],
  ["video-caption", captioned],
]);

/** Elements whose content is the whole page. */
const PAGE_PARTS = ["html", "head", "body"];

const WORDS: Record<Locale, Record<Placeholder, string>> = { de: german.placeholders, en: english.placeholders };

/**
 * An element's markup before and after a fix, with minimal changes. Null if rule, element and data do not determine the
 * fix. Content that only a person can know is a placeholder in square brackets, in the reader's language.
 */
export function markupFix(
  ruleId: string,
  element: Pick<ElementResult, "html" | "htmlCut" | "checks">,
  locale: Locale,
): MarkupFix | null {
  const recipe = RECIPES.get(ruleId);
  const tag = recipe && readOpeningTag(element.html);
  if (!tag) return null;
  const tagAlone = element.htmlCut || PAGE_PARTS.includes(tag.name);
  const opened: Opened = {
    html: tagAlone ? element.html.slice(0, tag.end) : element.html,
    tag,
    checks: element.checks,
    locale,
    placeholder: (name) => `[${WORDS[locale][name]}]`,
    word: (name) => WORDS[locale][name],
  };
  const draft = recipe(opened);
  if (!draft) return null;
  const { before, after } = applyEdits(draft.html ?? opened.html, draft.edits);
  if (textOf(before) === textOf(after)) return null;
  return { kind: "markup", before, after, notes: draft.notes };
}
