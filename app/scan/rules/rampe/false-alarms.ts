import type { RawNode } from "~/scan/rules/axe-internals";
import type { Kit } from "./kit";

/** False alarms of axe-core; absent when axe-core runs alone. */
export interface FalseAlarmGlobals {
  /** Is a failed element of a rule of axe-core a known false alarm? */
  isFalseAlarm?: (ruleId: string, element: Element, result: RawNode) => boolean;
}

/**
 * Defines `isFalseAlarm`: elements that fail a rule of axe-core although they meet its criterion. They pass when our own rules run too.
 * Runs inside a page; it is sent as source text.
 */
export function defineFalseAlarms(kit: Kit): void {
  const tests: Record<string, (element: Element, result: RawNode) => boolean> = {
    "aria-valid-attr-value": (element, result) => isClosedCombobox(element) && invalidIn(result).length > 0 && invalidIn(result).every((value) => value.startsWith("aria-controls=")),
    "frame-focusable-content": ({ ownerDocument }) => isInert(ownerDocument.defaultView?.frameElement ?? null),
    "label-content-name-mismatch": (element) => isDrawnAsIcon(element) || isSaidIn(unlisted(kit.visibleText(element)), kit.name(element)),
  };

  (globalThis as FalseAlarmGlobals).isFalseAlarm = (ruleId, element, result) => tests[ruleId]?.(element, result) ?? false;

  /** The list of a closed combobox may not exist (WAI-ARIA 1.2, combobox); axe-core knows only `aria-expanded="false"`. */
  function isClosedCombobox(element: Element): boolean {
    return kit.role(element) === "combobox" && element.getAttribute("aria-expanded") === "undefined";
  }

  /** Does a font of icons draw the words? It may come from a style sheet of another origin, or from one that did not load this time. */
  function isDrawnAsIcon(element: Element): boolean {
    if (!kit.isIconFont(kit.style(element).fontFamily)) return false;
    const sheets = kit.all("link[rel~=stylesheet]").map((link) => (link as HTMLLinkElement).sheet);
    return [...document.fonts].some(({ family }) => kit.isIconFont(family)) || sheets.some((sheet) => sheet === null || !isReadable(sheet));
  }

  function isReadable(sheet: CSSStyleSheet): boolean {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      return false;
    }
  }

  function invalidIn({ any, all, none }: RawNode): string[] {
    return [...any, ...all, ...none].flatMap(({ data }) => (Array.isArray(data) ? data.map(String) : []));
  }

  /** Content behind a modal dialog, or with `inert`, cannot be reached by anybody. */
  function isInert(frame: Element | null): boolean {
    if (!frame) return false;
    const modal = [...frame.ownerDocument.querySelectorAll("dialog:modal")].at(-1);
    return frame.closest("[inert]") !== null || (modal !== undefined && !kit.contains(modal, frame));
  }

  /** Text without the mark of a list. Our own rule asks about marks that may be ordinals. */
  function unlisted(text: string): string {
    return text.trim().slice(kit.listMark(text).length);
  }

  /** Is a visible label spoken the same as the beginning, the middle or the end of a name? Abbreviations and hyphens make no difference. */
  function isSaidIn(label: string, name: string): boolean {
    const words = (text: string) => text.toLowerCase().replaceAll(/[-\u2010\u2011\u00AD']/g, "").match(/[\p{L}\p{N}]+\.?/gu) ?? [];
    const [shown, spoken] = [words(label), words(name)];
    // A single word with a full stop is a sentence, and a number with one is no abbreviation.
    const isShortened = (word: string) => shown.length > 1 && /^\p{L}+\.$/u.test(word);
    const isSame = (word: string, full = "") => word.replace(/\.$/, "") === full.replace(/\.$/, "") || (isShortened(word) && full.startsWith(word.slice(0, -1)));
    return shown.length > 0 && spoken.some((_, from) => shown.every((word, index) => isSame(word, spoken[from + index])));
  }
}
