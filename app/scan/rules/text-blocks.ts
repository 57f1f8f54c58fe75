import type { DomGlobals } from "~/scan/page/dom";
import type { Axe, VirtualNode } from "./axe-internals";

/*
 * This function runs inside a page, in an isolated world with axe-core loaded (see `isolated-world.ts`). It is sent as
 * source text: it may use nothing outside itself except types.
 */

/**
 * Gives the rules `link-in-text-block` and `target-size` matchers with the same results as axe's own, but without walking
 * a whole text block again for every link in it.
 *
 * axe's `isInTextBlock` walks through the block around an element. It collects the text between the last line break or
 * inner block before the element and the next one after it: the same for every element between those two. So one walk per
 * block is enough; it records the stretch of text of each element. An element that the walk does not reach, because it is
 * inside hidden content or a widget, is compared with the last stretch.
 *
 * Call it once per frame, before axe runs.
 */
export function patchAxeTextBlockMatcher(): void {
  const { axe, rampeDom } = globalThis as unknown as { axe: Axe } & DomGlobals;
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
  // axe creates new virtual nodes for every run, so the cache never outlives its document.
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

  /** Same as axe's `link-in-text-block-matches`; undefined if axe's own matcher has to decide. */
  function isLinkInText(element: Element, node: VirtualNode): boolean | undefined {
    const role = aria.getExplicitRole(element);
    if (role && role !== "link") return false;
    if (!text.sanitize((element as HTMLElement).innerText)) return false;
    if (!dom.isVisibleOnScreen(element)) return false;
    if (isBlock(node) || isInlineBlock(node)) return false;
    const lengths = lengthsAround(element);
    return lengths && lengths.text > lengths.widgetText;
  }

  /** Same as axe's `widget-not-inline-matches`; undefined if axe's own matcher has to decide. */
  function isTarget(element: Element, node: VirtualNode): boolean | undefined {
    if (!isWidget(node) || node.props.nodeName === "area" || isSvg(node) || hasSvgAbove(node)) return false;
    if (!dom.isFocusable(node)) return false;
    if (!dom.isInTabOrder(node) && hasWidgetAbove(node)) return false;
    if (isBlock(node)) return true;
    const lengths = lengthsAround(element);
    return lengths && lengths.text === 0;
  }

  /** Does an ancestor of an element pass a test? Tests each of them only once. */
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

  /** Length of the text around an element in its stretch; undefined if axe itself fails. */
  function lengthsAround(element: Element): { text: number; widgetText: number } | undefined {
    // The element would be a line break itself, and end its own stretch.
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
    for (let at = rampeDom.composedParent(element); at; at = rampeDom.composedParent(at)) {
      const node = getNodeFromTree(at);
      if (!node) return undefined;
      if (isBlock(node)) return node;
    }
    return undefined;
  }

  /** axe throws errors for the roles of some elements. Its own walk may end before it reaches one. */
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
