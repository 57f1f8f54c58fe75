import type { Axe, VirtualNode } from "./axe-internals";

/*
 * This function runs inside a page, in a world of our own where axe-core has been loaded (see `world.ts`). It is sent as
 * source text: it may use nothing outside itself but types.
 */

/**
 * Gives the rules `link-in-text-block` and `target-size` matchers that answer as axe's own do, without walking a whole
 * block of text again for every link in it.
 *
 * axe's `isInTextBlock` walks through the block around an element. What it gathers is the text between the last line
 * break or inner block before the element and the next one after it: the same for every element between those two. So
 * one walk is enough for a block; it notes which stretch of text each element belongs to. An element that the walk does
 * not come to, as it lies in something hidden or in a widget, is held against the last stretch.
 *
 * Once per frame, before axe runs.
 */
export function patchAxeTextBlockMatcher(): void {
  const { axe } = globalThis as unknown as { axe: Axe };
  const { aria, dom, text } = axe.commons;
  const { getNodeFromTree } = axe.utils;

  interface Stretch {
    text: string;
    /** Text of links and other widgets. */
    widgetText: string;
    lengths?: { text: number; widgetText: number };
  }
  interface Block {
    stretchOf: Map<Node, Stretch>;
    last: Stretch;
  }
  // axe makes new virtual nodes for every run, so nothing outlives the document that was looked at.
  const blocks = new WeakMap<VirtualNode, Block | "unknown">();
  const hasSvgAbove = someAbove(isSvg);
  const hasWidgetAbove = someAbove((node) => isWidget(node) && dom.isInTabOrder(node));

  const ownLinkMatcher = ownMatcher("link-in-text-block");
  const ownTargetMatcher = ownMatcher("target-size");
  axe.configure({
    rules: [
      { id: "link-in-text-block", matches: (...on) => isLinkInText(...on) ?? ownLinkMatcher(...on) },
      { id: "target-size", matches: (...on) => isTarget(...on) ?? ownTargetMatcher(...on) },
    ],
  });

  function ownMatcher(id: string) {
    const rule = axe._audit.rules.find((each) => each.id === id);
    if (!rule) throw new Error(`axe-core has no rule ${id}`);
    return rule.matches.bind(rule);
  }

  /** As in axe's `link-in-text-block-matches`; undefined where only that itself can tell. */
  function isLinkInText(element: Element, node: VirtualNode): boolean | undefined {
    const role = aria.getExplicitRole(element);
    if (role && role !== "link") return false;
    if (!text.sanitize((element as HTMLElement).innerText)) return false;
    if (!dom.isVisibleOnScreen(element)) return false;
    if (isBlock(node) || isInlineBlock(node)) return false;
    const lengths = lengthsAround(element);
    return lengths && lengths.text > lengths.widgetText;
  }

  /** As in axe's `widget-not-inline-matches`; undefined where only that itself can tell. */
  function isTarget(element: Element, node: VirtualNode): boolean | undefined {
    if (!isWidget(node) || node.props.nodeName === "area" || isSvg(node) || hasSvgAbove(node)) return false;
    if (!dom.isFocusable(node)) return false;
    if (!dom.isInTabOrder(node) && hasWidgetAbove(node)) return false;
    if (isBlock(node)) return true;
    const lengths = lengthsAround(element);
    return lengths && lengths.text === 0;
  }

  /** Whether an element that contains another one passes a test; asks each of them once. */
  function someAbove(passes: (node: VirtualNode) => boolean): (node: VirtualNode) => boolean {
    const answers = new WeakMap<VirtualNode, boolean>();
    return (node) => {
      const below: VirtualNode[] = [];
      let answer: boolean | undefined;
      for (let at = node; answer === undefined && at.parent; at = at.parent) {
        answer = answers.get(at);
        below.push(at);
        answer ??= passes(at.parent) || undefined;
      }
      for (const each of below) answers.set(each, answer ?? false);
      return answer ?? false;
    };
  }

  /** How much text there is around an element in its stretch; undefined for what axe itself stumbles over. */
  function lengthsAround(element: Element): { text: number; widgetText: number } | undefined {
    // Here a line break would be the element itself, and end its own stretch.
    if (isLineBreak(element)) return undefined;
    const parent = blockAround(element);
    if (!parent) return undefined;
    let block = blocks.get(parent);
    if (!block) blocks.set(parent, (block = tryWalk(parent)));
    if (block === "unknown") return undefined;
    const stretch = block.stretchOf.get(element) ?? block.last;
    return (stretch.lengths ??= {
      text: text.sanitize(stretch.text).length,
      widgetText: text.sanitize(stretch.widgetText).length,
    });
  }

  function blockAround(element: Element): VirtualNode | undefined {
    for (let at = dom.getComposedParent(element); at; at = dom.getComposedParent(at)) {
      const node = getNodeFromTree(at);
      if (!node) return undefined;
      if (isBlock(node)) return node;
    }
    return undefined;
  }

  /** axe throws errors for the roles of some elements. Its own walk may end before it comes to one. */
  function tryWalk(parent: VirtualNode): Block | "unknown" {
    try {
      return walk(parent);
    } catch {
      return "unknown";
    }
  }

  function walk(parent: VirtualNode): Block {
    const stretchOf = new Map<Node, Stretch>();
    let last: Stretch = { text: "", widgetText: "" };
    const open = [...parent.children].reverse();
    for (let node = open.pop(); node; node = open.pop()) {
      const { actualNode } = node;
      if (actualNode.nodeType === Node.TEXT_NODE) last.text += actualNode.nodeValue ?? "";
      if (!isElement(actualNode)) continue;
      const block = isBlock(node);
      if (block || isLineBreak(actualNode)) last = { text: "", widgetText: "" };
      stretchOf.set(actualNode, last);
      if (block || !dom.isVisibleOnScreen(actualNode)) continue;
      if (isWidget(actualNode)) last.widgetText += actualNode.textContent ?? "";
      else for (const child of [...node.children].reverse()) open.push(child);
    }
    return { stretchOf, last };
  }

  function isElement(node: Node): node is Element {
    return node.nodeType === Node.ELEMENT_NODE;
  }

  function isLineBreak({ nodeName }: Element): boolean {
    return ["BR", "HR"].includes(nodeName.toUpperCase());
  }

  function isSvg({ props }: VirtualNode): boolean {
    return props.nodeName === "svg";
  }

  function isWidget(node: VirtualNode | Element): boolean {
    return aria.getRoleType(node) === "widget";
  }

  function isBlock(node: VirtualNode): boolean {
    const display = node.getComputedStylePropertyValue("display");
    return ["block", "list-item", "table", "flex", "grid"].includes(display) || display.startsWith("table-");
  }

  function isInlineBlock(node: VirtualNode): boolean {
    const display = node.getComputedStylePropertyValue("display");
    return ["inline-block", "inline-flex", "inline-grid"].includes(display);
  }
}
