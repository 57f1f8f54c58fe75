import type { Kit } from "./kit";

/** False alarms of axe-core; absent when axe-core runs alone. */
export interface FalseAlarmGlobals {
  /** Is a failed element of a rule of axe-core a known false alarm? */
  isFalseAlarm?: (ruleId: string, element: Element) => boolean;
}

/**
 * Defines `isFalseAlarm`: elements that fail a rule of axe-core although they meet its criterion. They pass when our own rules run too.
 * Runs inside a page; it is sent as source text.
 */
export function defineFalseAlarms(kit: Kit): void {
  /** Registered language tags whose first part is no language ("grandfathered", RFC 5646, 2.1). */
  const wholeTags = /^(?:i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish)$/i;

  const tests: Record<string, (element: Element) => boolean> = {
    "frame-focusable-content": ({ ownerDocument }) => isInert(ownerDocument.defaultView?.frameElement ?? null),
    "html-lang-valid": isWholeTag,
    "label-content-name-mismatch": (element) => kit.isIconFont(kit.style(element).fontFamily) || isSaidIn(kit.visibleText(element), kit.name(element)),
    "valid-lang": isWholeTag,
  };

  (globalThis as FalseAlarmGlobals).isFalseAlarm = (ruleId, element) => tests[ruleId]?.(element) ?? false;

  function isWholeTag(element: Element): boolean {
    return wholeTags.test(element.getAttribute("lang") ?? "");
  }

  /** Content behind a modal dialog, or with `inert`, cannot be reached by anybody. */
  function isInert(frame: Element | null): boolean {
    if (!frame) return false;
    const modal = [...frame.ownerDocument.querySelectorAll("dialog:modal")].at(-1);
    return frame.closest("[inert]") !== null || (modal !== undefined && !kit.contains(modal, frame));
  }

  /** Is a visible label spoken the same as the beginning, the middle or the end of a name? Abbreviations and hyphens make no difference. */
  function isSaidIn(label: string, name: string): boolean {
    const words = (text: string) => text.toLowerCase().replaceAll(/[-\u2010\u2011\u00AD']/g, "").match(/[\p{L}\p{N}]+\.?/gu) ?? [];
    const [shown, spoken] = [words(label), words(name)];
    const isSame = (word: string, full = "") => word === full || (word.endsWith(".") && full.startsWith(word.slice(0, -1))) || word.replace(/\.$/, "") === full.replace(/\.$/, "");
    return shown.length > 0 && spoken.some((_, from) => shown.every((word, index) => isSame(word, spoken[from + index])));
  }
}
