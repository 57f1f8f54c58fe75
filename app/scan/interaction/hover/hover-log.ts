import type { DomGlobals } from "~/scan/page/dom";
import type { SightGlobals } from "~/scan/interaction/sight";
import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";

/** Behaviour of the content that appears while the pointer is on an element; kept in the page's world for the rules (`Kit.hoverTrial`). */
export interface HoverTrial {
  /** Text of the page below the content; undefined if the content covers nothing. */
  covers?: string;
  /** Input that closes the content while the pointer stays; `needless` if the content covers nothing, or is an error message. */
  closedBy: "Escape" | "Escape with focus" | "nothing" | "needless";
  /** A click on the element, or a button in the content, may close the content as well. */
  mayClose: boolean;
  /**
   * Does the content stay when the pointer moves onto it? `gap`: only if the pointer crosses the space between them at once; `unknown`:
   * the content is too far away, or out of the window.
   */
  staysUnderPointer: "yes" | "gap" | "no" | "unknown";
  /** The content disappears by itself, again and again, while the pointer does not move. */
  vanishes: boolean;
}

/** Behaviour of the content that appears while an element has the focus (`Kit.focusTrial`). */
export interface FocusTrial {
  /** Text of the page below the content that stays after Escape; undefined if it covers nothing, or disappears. */
  covers?: string;
}

/** Reason why an element may show content under the pointer; it determines how long that may take. */
export type HoverReason = "style" | "script" | "icon";

export interface HoverGlobals extends DomGlobals, SightGlobals, ElementListeners {
  rampeHover?: {
    found: { hover: HoverTrigger[]; focus: HoverTrigger[] };
    /** Triggers tried now: one of the two lists. */
    triggers: HoverTrigger[];
    /** Elements that were visible, and elements that were in the document, before the current element was hovered. */
    shown: Set<Element>;
    present: Set<Element>;
    /** Content that has appeared since the hover. */
    content?: Element;
    trials: Map<Element, HoverTrial>;
    focusTrials: Map<Element, FocusTrial>;
    /** Kinds of elements with a finished trial. */
    triedKinds: Set<string>;
  };
}

export interface HoverTrigger {
  element: HTMLElement;
  reason: HoverReason;
  /** Same text for elements that look alike. */
  kind: string;
}
