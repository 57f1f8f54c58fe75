/** This function runs inside a page, in an isolated world; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { PausingGlobals } from "~/scan/page/pause";
import type { SightGlobals } from "~/scan/interaction/sight";

/**
 * Effect of a key or a click on the page. `clear`: a visible change; `unclear`: a change that may be invisible; `scrolled`: the
 * page scrolled, which alone may explain a change outside the control.
 */
export type Effect = "none" | "unclear" | "clear" | "scrolled";

export interface EffectGlobals extends DomGlobals, SightGlobals, PausingGlobals {
  rampeEffects?: {
    /** Waits for `ms`. Elements that change meanwhile change by themselves: their changes no longer count. */
    rest(ms: number): Promise<void>;
    /**
     * Forgets all changes so far.
     * @param hovered control below the pointer since then: content that has appeared, or has changed outside it, will not count either
     */
    forget(hovered?: Element): void;
    /**
     * Returns the change since then, after `ms`.
     * @param control the used control: marks of the focus on it do not count
     * @param isKey a key was used: then focus on another element counts, and the browser itself may have scrolled
     */
    after(ms: number, control: Element | undefined, isKey: boolean): Promise<Effect>;
  };
}

/** Defines the functions that detect effects of keys and clicks. Needs `defineSight` and `definePause`. */
export function defineEffects(): void {
  const globals = globalThis as unknown as EffectGlobals;
  const { rampeDom: dom } = globals;
  const mostRecords = 5_000;
  const longestText = 200;
  const states = ["aria-checked", "aria-selected", "aria-pressed", "aria-expanded", "aria-current", "aria-valuenow", "aria-valuetext", "aria-activedescendant", "open"];
  const selector = [...states.map((name) => `[${name}]`), "input", "select", "textarea"].join(", ");
  const restless = new WeakSet<Node>();
  let records: MutationRecord[] = [];
  let events = 0;
  let before = { seen: new Map<Element, string>(), focus: activeElement(), address: location.href, scrolled: `${scrollX} ${scrollY}` };

  const observer = new MutationObserver(keep);
  for (const root of roots(document)) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  const count = () => (events += 1);
  for (const type of ["input", "change", "toggle", "play", "pause", "fullscreenchange"]) document.addEventListener(type, count, { capture: true, passive: true });

  globals.rampeEffects = {
    async rest(ms) {
      take();
      await globals.pause(ms);
      for (const node of take().flatMap(touchedBy)) if (node !== document.body && node !== document.documentElement) restless.add(node);
      before = lookAround();
    },
    forget(hovered) {
      const nodes = take().flatMap(touchedBy);
      const now = lookAround();
      if (hovered) {
        for (const element of now.seen.keys()) if (!before.seen.has(element)) restless.add(element);
        for (const node of nodes) if (!isInside(node, hovered) && !isInside(hovered, node)) restless.add(node);
      }
      before = now;
    },
    async after(ms, control, isKey) {
      await globals.pause(ms);
      const hasEvents = events > 0;
      const counted = take().filter((record) => !isByItself(record) && !isMark(record, control));
      const focusMoved = isKey && activeElement() !== before.focus;
      if (counted.length === 0 && !hasEvents && !focusMoved && location.href === before.address) return "none";
      const now = lookAround();
      const isClear = focusMoved || differs(before.seen, now.seen);
      const hasScrolled = isKey && control !== undefined && !focusMoved && now.scrolled !== before.scrolled && !counted.some(({ target }) => isInside(target, control));
      before = now;
      if (hasScrolled) return "scrolled";
      return isClear ? "clear" : "unclear";
    },
  };

  function keep(more: MutationRecord[]): void {
    if (records.length < mostRecords) records.push(...more.slice(0, mostRecords));
  }

  function take(): MutationRecord[] {
    keep(observer.takeRecords());
    const taken = records;
    [records, events] = [[], 0];
    return taken;
  }

  function lookAround(): typeof before {
    const seen = new Map<Element, string>();
    for (const element of globals.rampeSight.look()) seen.set(element, ownText(element));
    for (const element of roots(document).flatMap((root) => [...root.querySelectorAll(selector)])) seen.set(element, `${seen.get(element) ?? ""} ${stateOf(element)}`);
    return { seen, focus: activeElement(), address: location.href, scrolled: `${scrollX} ${scrollY}` };
  }

  function ownText(element: Element): string {
    const texts = dom.nodes(element).map((node) => (node instanceof Text ? node.data : ""));
    return texts.join("").replace(/\s+/g, " ").trim().slice(0, longestText);
  }

  function stateOf(element: Element): string {
    const { value, checked } = element as Partial<HTMLInputElement>;
    return JSON.stringify([...states.map((name) => dom.attribute(element, name)), typeof value === "string" ? value.slice(0, longestText) : null, checked === true]);
  }

  function differs(earlier: Map<Element, string>, later: Map<Element, string>): boolean {
    const changed = [...later].some(([element, text]) => earlier.get(element) !== text && !isRestless(element));
    return changed || [...earlier.keys()].some((element) => !later.has(element) && !isRestless(element));
  }

  function isByItself({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
    if (isRestless(target) || (document.head as Node | null)?.contains(target)) return true;
    const touched = [...addedNodes, ...removedNodes];
    return type === "childList" && touched.length > 0 && touched.every((node) => restless.has(node) || /^(script|style|link)$/.test(node instanceof Element ? dom.localName(node) : ""));
  }

  function touchedBy({ type, target, addedNodes, removedNodes }: MutationRecord): Node[] {
    return type === "childList" ? [target, ...addedNodes, ...removedNodes] : [target];
  }

  function isInside(node: Node, other: Node): boolean {
    return dom.contains(other, node);
  }

  /** Is the change only a mark? Libraries mark the whole page, or the focused element, when keys or a pointer are used. */
  function isMark({ type, target, attributeName }: MutationRecord, control: Element | undefined): boolean {
    if (type !== "attributes") return false;
    return target === document.body || target === document.documentElement || (target === control && /^(class|data-.*)$/.test(attributeName ?? ""));
  }

  function isRestless(node: Node): boolean {
    for (let at: Node | null = node; at; at = dom.parentNode(at) ?? (at instanceof ShadowRoot ? at.host : null)) if (restless.has(at)) return true;
    return false;
  }

  function activeElement(): Element | null {
    return dom.focused() ?? document.activeElement;
  }

  function roots(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
    return [root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? roots(shadowRoot) : []))];
  }
}
