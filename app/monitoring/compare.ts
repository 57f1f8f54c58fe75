/** What may have become of an element between two runs. */
export const CHANGE_KINDS = ["new", "engine", "persisting", "fixed", "unchecked_now", "unchecked_before"] as const;

/**
 * `new`: it was not there before. `engine`: nobody had looked for it, as the rule did not exist or was not asked for.
 * `persisting`: it was and is there. `fixed`: it is not there any more. Not comparable, and never counted as fixed or new:
 * `unchecked_now`: it was there, and this time nobody could look; `unchecked_before`: it is there, and nobody had looked.
 */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * What a run says about a rule on a page. `missing`: the run had no such page; `failed`: the page could not be checked;
 * `partial`: the page, or the rule on it, was not checked to its end; `not_run`: the rule was none of that run.
 */
export type SideState = "checked" | "missing" | "failed" | "partial" | "not_run";

/** Ways in which an element is recognised. */
export const MATCH_STRATEGIES = 4;

export interface ComparedElement {
  /** By what it is recognised, in each of the ways from 0, the safest. Asked only where the ways before did not find it. */
  identity(way: number): string;
  inFrame: boolean;
}

/** One rule on one page in one of the two runs. */
export interface Side<Element extends ComparedElement> {
  state: SideState;
  /** Frames of the page could not be looked into. */
  lacksFrames: boolean;
  /** Those that violate the rule, as far as they are stored. */
  elements: Element[];
  /** All of them. */
  count: number;
}

export interface Part<Element> {
  /** Also those that are not stored. */
  count: number;
  elements: Element[];
}

export type Changes<Element> = Record<ChangeKind, Part<Element>>;

/**
 * Compares a rule on a page in two runs. Every element of either side is in exactly one part, but for the persisting ones,
 * which are in both runs and counted once. The stored elements of a part are those of the run in which they were found
 * (`persisting`: of the later one).
 */
export function compareRule<Element extends ComparedElement>(before: Side<Element>, now: Side<Element>): Changes<Element> {
  const { pairs, rest } = matched(before.elements, now.elements);
  const unstored = unstoredOf(before) + unstoredOf(now);
  const gone = rest.before.length + unstoredOf(before);
  const come = rest.now.length + unstoredOf(now);
  // Those beyond what is stored may be any of the other run's: they are taken for the same.
  const taken = Math.min(gone, come, unstored);

  const changes = noChanges<Element>();
  addTo(changes.persisting, pairs, pairs.length + taken);
  spread(changes, rest.before, gone - taken, (element) => becameOf(element, now));
  spread(changes, rest.now, come - taken, (element) => cameOf(element, before));
  return changes;
}

function noChanges<Element>(): Changes<Element> {
  const none = (): Part<Element> => ({ count: 0, elements: [] });
  return { new: none(), engine: none(), persisting: none(), fixed: none(), unchecked_now: none(), unchecked_before: none() };
}

/** What became of an element that the later run does not have. */
function becameOf(element: ComparedElement | undefined, now: Side<ComparedElement>): ChangeKind {
  return now.state === "checked" && !isOutOfSight(element, now) ? "fixed" : "unchecked_now";
}

/** Where an element comes from that the earlier run does not have. */
function cameOf(element: ComparedElement | undefined, before: Side<ComparedElement>): ChangeKind {
  if (before.state === "not_run") return "engine";
  return before.state === "checked" && !isOutOfSight(element, before) ? "new" : "unchecked_before";
}

const isOutOfSight = (element: ComparedElement | undefined, { lacksFrames }: Side<ComparedElement>) =>
  lacksFrames && element?.inFrame === true;

/** @param count of them altogether; those that are not stored go where an element does that is in no frame */
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

/** Pairs elements off by one identity after the other; the pairs are given by their later elements. */
function matched<Element extends ComparedElement>(before: Element[], now: Element[]) {
  const pairs: Element[] = [];
  let rest = { before, now };
  for (let way = 0; way < MATCH_STRATEGIES && rest.before.length > 0 && rest.now.length > 0; way += 1) {
    const waiting = new Map<string, Element[]>();
    for (const element of rest.before) {
      const identity = element.identity(way);
      const same = waiting.get(identity);
      if (same) same.push(element);
      else waiting.set(identity, [element]);
    }
    const unpaired = rest.now.filter((element) => {
      const earlier = waiting.get(element.identity(way))?.pop();
      if (earlier) pairs.push(element);
      return !earlier;
    });
    rest = { before: [...waiting.values()].flat(), now: unpaired };
  }
  return { pairs, rest };
}
