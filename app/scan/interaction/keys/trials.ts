import type { EffectGlobals } from "./effects";

/** Results of the keys that were pressed on a page; kept in its world for the rules (`Kit.keyTrials`). */
export interface KeyTrials {
  activation?: ActivationTrial;
  items?: ItemsTrial;
  value?: ValueTrial;
  choice?: ChoiceTrial;
  /** Trial of a link within the page. */
  skipLink?: SkipLinkTrial;
  /** Trial of the whole page, at its root element. */
  characters?: CharactersTrial;
}

/** Trial of a custom control that is activated by a key. */
interface ActivationTrial {
  role: string;
  /** Keys that did something. */
  answered: ActivationKey[];
  /** At least one of them had a visible effect. */
  isSeen: boolean;
  /** Keys that its role promises and that did nothing, again and again, while the other key did something that can be seen. */
  missing: ActivationKey[];
  /** A click did something that can be seen; tried only after all keys had done nothing. */
  byPointer: boolean;
}

export type ActivationKey = "Enter" | "Space";

/** Trial of a widget with items, such as tabs. */
interface ItemsTrial {
  role: string;
  /** Items that are shown, and that the Tab key does not reach. */
  unreached: number;
  /** One of the arrow keys, Home and End did something. */
  isAnswered: boolean;
  /** A click on an item did something that can be seen; tried only after all keys had done nothing. */
  byPointer: boolean;
  /** Controls beside it seem to lead from one item to the next. */
  hasSteps: boolean;
}

/** Trial of a widget with a value, such as a slider. */
interface ValueTrial {
  role: string;
  isAnswered: boolean;
  /** The pointer changed its value; tried only after all keys had done nothing. */
  byPointer: boolean;
  /** Controls beside it may change its value. */
  hasOther: boolean;
}

/** Trial of a list, a radio button or a checkbox whose value was changed. */
export interface ChoiceTrial {
  /** Address that each change would have led to; "" for a new window. Undefined if the page stays. */
  leavesTo?: string;
}

/** Trial of a link within the page: Enter, then Tab. */
export interface SkipLinkTrial {
  /** Whether the next stop is in its target or after it. */
  reaches: boolean;
  /** The next stop is the one that follows without the link, too. */
  isIgnored: boolean;
}

/** Trial of letters and other characters that were pressed while no element had the focus. */
export interface CharactersTrial {
  /** The first character that did something that can be seen; undefined if none did. */
  answered?: string;
}

export interface KeysGlobals extends EffectGlobals {
  rampeKeys?: {
    widgets: Widget[];
    skipLinks: SkipLink[];
    choices: Choice[];
    trials: Map<Element, KeyTrials>;
  };
}

export interface Widget {
  element: HTMLElement;
  kind: "activation" | "items" | "value";
  role: string;
  items: HTMLElement[];
}

export type Choice = HTMLSelectElement | HTMLInputElement;

interface SkipLink {
  link: HTMLAnchorElement;
  target: Element;
  /** The stop that follows the link if it is not used; null for none. */
  next?: Element | null;
}
