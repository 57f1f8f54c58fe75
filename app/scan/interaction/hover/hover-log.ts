import type { DomGlobals } from "~/scan/page/dom";
import type { SightGlobals } from "~/scan/interaction/sight";
import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";

/** What became of the content that appears while the pointer is on an element; kept in the page's world for the rules (`Kit.hoverTrial`). */
export interface HoverTrial {
  /** Text of the page over which the content lies; undefined if it covers nothing. */
  covers?: string;
  /** What closes it while the pointer stays; `needless` for content that covers nothing, or tells an error. */
  closedBy: "Escape" | "Escape with focus" | "nothing" | "needless";
  /** A click on the element, or a button in the content, may close it as well. */
  mayClose: boolean;
  /**
   * Whether it stays when the pointer moves onto it. `gap`: only if the pointer crosses the space between them at once; `unknown`: it is
   * too far away, or out of the window.
   */
  staysUnderPointer: "yes" | "gap" | "no" | "unknown";
  /** It went away by itself, again and again, while the pointer stayed where it was. */
  vanishes: boolean;
}

/** What became of the content that appears while an element has the focus (`Kit.focusTrial`). */
export interface FocusTrial {
  /** Text of the page over which the content lies and stays after Escape; undefined if it covers nothing, or goes away. */
  covers?: string;
}

/** Why an element is expected to show something while the pointer is on it: how long that may take. */
export type HoverReason = "style" | "script" | "icon";

export interface HoverGlobals extends DomGlobals, SightGlobals, ElementListeners {
  rampeHover?: {
    found: { hover: HoverTrigger[]; focus: HoverTrigger[] };
    /** Triggers that are tried now: one of the two lists. */
    triggers: HoverTrigger[];
    /** Elements that were visible, and elements that were in the document, before the current element was hovered. */
    shown: Set<Element>;
    present: Set<Element>;
    /** Content that has appeared since. */
    content?: Element;
    trials: Map<Element, HoverTrial>;
    focusTrials: Map<Element, FocusTrial>;
    /** Kinds of elements of which one has a trial. */
    triedKinds: Set<string>;
  };
}

export interface HoverTrigger {
  element: HTMLElement;
  reason: HoverReason;
  /** The same for elements that look alike. */
  kind: string;
}
