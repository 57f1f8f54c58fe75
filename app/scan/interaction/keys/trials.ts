import type { ContentOpener } from "~/scan/interaction/opening/opening-log";
import type { EffectGlobals } from "./effects";

/** Results of the keys pressed on a page; kept in its world for the rules (`Kit.keyTrials`). */
export interface KeyTrials {
  activation?: ActivationTrial;
  items?: ItemsTrial;
  value?: ValueTrial;
  /** Trial of an opened menu or list. */
  closing?: ClosingTrial;
  choice?: ChoiceTrial;
  /** Trial of a link within the page. */
  skipLink?: SkipLinkTrial;
  /** Trial of the whole page, at its root element. */
  characters?: CharactersTrial;
}

/** Trial of a custom control that is activated by a key. */
interface ActivationTrial {
  role: string;
  /** Keys with an effect. */
  answered: ActivationKey[];
  /** At least one of the keys had a visible effect. */
  isSeen: boolean;
  /** Keys promised by the role and without effect, again and again, while the other key had a visible effect. */
  missing: ActivationKey[];
  /** A click had a visible effect; tried only if no key had an effect. */
  byPointer: boolean;
}

export type ActivationKey = "Enter" | "Space";

/** Trial of a widget with items, such as tabs. */
interface ItemsTrial {
  role: string;
  /** Shown items that the Tab key does not reach. */
  unreached: number;
  /** An arrow key, Home or End had an effect. */
  isAnswered: boolean;
  /** An arrow key had an effect, or it is unknown whether one had. */
  onArrows: boolean;
  /** A click on an item had a visible effect; tried only if no key had an effect. */
  byPointer: boolean;
  /** Controls beside the widget seem to lead from one item to the next. */
  hasSteps: boolean;
  /** Items that no key reached, although arrow keys have an effect. */
  missed?: MissedItems;
}

/** Shown and enabled items that are no Tab stops, and that arrow keys, Home, End and typed letters did not reach, in two walks. */
export interface MissedItems {
  count: number;
  /** Text of the first one. */
  name: string;
  /** A click on the first one had a visible effect. */
  byPointer: boolean;
}

/** Place of the keyboard in a widget. */
export interface ItemPlace {
  /** Number of the focused or active element; -1 for none. */
  at: number;
  isItem: boolean;
  /** Number of judged items that no key has reached. */
  left: number;
}

/** Trial of the keys that close the list of a field, or a menu that neither Escape nor the key that opened it closes. */
interface ClosingTrial {
  role: string;
  /** First key that closed it; undefined if none did. */
  by?: "Escape" | "Tab";
  /** It lies over other content. */
  covers: boolean;
}

/** Trial of a widget with a value, such as a slider. */
interface ValueTrial {
  role: string;
  isAnswered: boolean;
  /** Same as in `ItemsTrial`. */
  onArrows: boolean;
  /** The pointer changed the value; tried only if no key had an effect. */
  byPointer: boolean;
  /** Controls beside the widget may change its value. */
  hasOther: boolean;
}

/** Trial of a list, a radio button, a checkbox or a text field whose value was changed. */
export interface ChoiceTrial {
  /** Address that each change tried to open; "" for a new window. Undefined if the page stays. */
  leavesTo?: string;
  /** The field was typed in. */
  isTyped?: true;
  /** Typing moved the focus to another element. */
  movesOn?: true;
}

/** Trial of a link within the page: Enter, then Tab. */
export interface SkipLinkTrial {
  /** Is the next Tab stop in the target or after it? */
  reaches: boolean;
  /** The next Tab stop is the same as without the link. */
  isIgnored: boolean;
}

/** Trial of letters and other characters that were pressed while no element had the focus. */
export interface CharactersTrial {
  /** First character with a visible effect; undefined if there is none. */
  answered?: string;
}

export interface KeysGlobals extends EffectGlobals {
  rampeKeys?: {
    widgets: Widget[];
    skipLinks: SkipLink[];
    choices: Choice[];
    trials: Map<Element, KeyTrials>;
    /** Number of widgets of the page itself; those in opened content follow. */
    initialCount: number;
    /** Usable widgets of the page itself, including those beyond the limits. */
    initialElements: Set<Element>;
    /** Numbers of widgets so far, by what they are like (`admit`). */
    counts: Map<string, number>;
    /** Kinds of the widgets in opened content that are not tried. */
    untriedKinds: Set<Widget["kind"]>;
    /** Usable widgets of the requested kinds in a part of the page. */
    usableIn(root: Document | Element): Widget[];
    /** Counts a widget with those like it. @returns whether it is one of the first */
    admit(widget: Widget): boolean;
    /** Does a field or a button control the widget? */
    isSteered(element: Element): boolean;
  };
}

export interface Widget {
  element: HTMLElement;
  kind: "activation" | "items" | "value";
  role: string;
  items: HTMLElement[];
  /** Control that shows the widget. */
  opener?: ContentOpener;
  /** Item that the pointer is to hit; otherwise the widget, or one of its items. */
  target?: HTMLElement;
  /** Walk through the items (`beginItemWalk`). */
  walk?: ItemWalk;
}

interface ItemWalk {
  judged: HTMLElement[];
  reached: Set<Element>;
  /** Places of the keyboard so far. */
  places: Element[];
  look(): ItemPlace;
  /** Judged items that no key has reached, as far as they are still shown. */
  missed(): HTMLElement[];
}

export type Choice = HTMLSelectElement | HTMLInputElement;

interface SkipLink {
  link: HTMLAnchorElement;
  target: Element;
  /** Tab stop after the unused link; null for none. */
  next?: Element | null;
}
