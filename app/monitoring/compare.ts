import type { ShownIn } from "~/scan/types";

/** Kinds of change of an element between two runs. */
export const CHANGE_KINDS = ["new", "engine", "persisting", "fixed", "not_checked_after", "not_checked_before"] as const;

/**
 * `new`: only in the later run. `engine`: not checked before, as the rule did not exist or was not requested.
 * `persisting`: in both runs. `fixed`: only in the earlier run. Not comparable, and never counted as fixed or new:
 * `not_checked_after`: in the earlier run, and the later one could not check; `not_checked_before`: in the later run, and the
 * earlier one did not check.
 */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * State of a rule on a page in a run. `missing`: the run had no such page; `failed`: the page could not be checked;
 * `partial`: the check of the page or of the rule was incomplete; `not_run`: the run did not include the rule.
 */
export type SideState = "checked" | "missing" | "failed" | "partial" | "not_run";

/** Number of strategies to recognise an element. */
const MATCH_STRATEGIES = 4;

export interface ComparedElement {
  /** Fingerprint for each strategy; 0 is the safest. A strategy is used only if the earlier ones found no match. */
  identity(strategy: number): string;
  inFrame: boolean;
  /** Conditions of the finding; empty for the only condition of its rule. */
  conditions: readonly ShownIn[];
}

/** One rule on one page in one of the two runs. */
export interface Side<Element extends ComparedElement> {
  state: SideState;
  /** Whether some frames of the page could not be checked. */
  lacksFrames: boolean;
  /** Conditions in which the run checked the page not at all, or only in part. */
  unseen: ReadonlySet<ShownIn>;
  /** Stored elements that violate the rule. */
  elements: Element[];
  /** Number of elements, stored or not. */
  count: number;
}

interface Part<Element> {
  /** Includes elements that are not stored. */
  count: number;
  elements: Element[];
}

export type Changes<Element> = Record<ChangeKind, Part<Element>>;

/**
 * Compares a rule on a page in two runs. Every element of either side is in exactly one part; persisting elements are in
 * both runs and count once. The stored elements of a part come from the run that found them (`persisting`: from the later
 * one).
 */
export function compareRule<Element extends ComparedElement>(before: Side<Element>, now: Side<Element>): Changes<Element> {
  const { pairs, rest } = matched(before.elements, now.elements);
  const unstored = unstoredOf(before) + unstoredOf(now);
  const gone = rest.before.length + unstoredOf(before);
  const come = rest.now.length + unstoredOf(now);
  // Elements that are not stored may equal any element of the other run: they count as persisting.
  const taken = Math.min(gone, come, unstored);

  const changes = noChanges<Element>();
  addTo(changes.persisting, pairs, pairs.length + taken);
  spread(changes, rest.before, gone - taken, (element) => becameOf(element, now));
  spread(changes, rest.now, come - taken, (element) => cameOf(element, before));
  return changes;
}

function noChanges<Element>(): Changes<Element> {
  const none = (): Part<Element> => ({ count: 0, elements: [] });
  return { new: none(), engine: none(), persisting: none(), fixed: none(), not_checked_after: none(), not_checked_before: none() };
}

/** Change of an element that is missing in the later run. */
function becameOf(element: ComparedElement | undefined, now: Side<ComparedElement>): ChangeKind {
  return now.state === "checked" && !isOutOfSight(element, now) ? "fixed" : "not_checked_after";
}

/** Change of an element that is missing in the earlier run. */
function cameOf(element: ComparedElement | undefined, before: Side<ComparedElement>): ChangeKind {
  if (before.state === "not_run") return "engine";
  return before.state === "checked" && !isOutOfSight(element, before) ? "new" : "not_checked_before";
}

function isOutOfSight(element: ComparedElement | undefined, { lacksFrames, unseen }: Side<ComparedElement>): boolean {
  if (!element) return false;
  const { inFrame, conditions } = element;
  return (lacksFrames && inFrame) || (conditions.length > 0 && conditions.every((condition) => unseen.has(condition)));
}

/** @param count of all elements; elements that are not stored count as outside of frames, in the usual condition */
function spread<Element extends ComparedElement>(
  changes: Changes<Element>,
  elements: Element[],
  count: number,
  kindOf: (element: Element | undefined) => ChangeKind,
): void {
  const counted = elements.slice(0, count);
  for (const element of counted) addTo(changes[kindOf(element)], [element], 1);
  changes[kindOf(undefined)].count += count - counted.length;
}

function addTo<Element>(part: Part<Element>, elements: Element[], count: number): void {
  part.elements.push(...elements);
  part.count += count;
}

const unstoredOf = ({ count, elements }: Side<ComparedElement>) => Math.max(0, count - elements.length);

/** Pairs elements by one identity after the other; `pairs` contains the elements of the later run. */
function matched<Element extends ComparedElement>(before: Element[], now: Element[]) {
  const pairs: Element[] = [];
  let rest = { before, now };
  for (let strategy = 0; strategy < MATCH_STRATEGIES && rest.before.length > 0 && rest.now.length > 0; strategy += 1) {
    const waiting = new Map<string, Element[]>();
    for (const element of rest.before) {
      const identity = element.identity(strategy);
      const same = waiting.get(identity);
      if (same) same.push(element);
      else waiting.set(identity, [element]);
    }
    const unpaired = rest.now.filter((element) => {
      const earlier = waiting.get(element.identity(strategy))?.pop();
      if (earlier) pairs.push(element);
      return !earlier;
    });
    rest = { before: [...waiting.values()].flat(), now: unpaired };
  }
  return { pairs, rest };
}
