/* This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text. */

/**
 * Properties of nodes as the browser defines them. Use them for any element that may be a form: a control named `parentElement` or
 * `matches` hides the form's own property, in isolated worlds as well.
 */
export interface Dom {
  /** Parent element; null for the outermost element, also of a shadow root. */
  parent(node: Node): HTMLElement | null;
  /** Parent node, which may be a shadow root or the document. */
  parentNode(node: Node): Node | null;
  /** Parent in the composed tree: the host of a shadow root, or the place of the slot that shows the node; slots are skipped. */
  composedParent(node: Element | Text): Element | null;
  /** Slot that shows an element or text, in an open shadow root. */
  slot(node: Element | Text): Element | null;
  /** Same as `contains`, in the composed tree. */
  holds(outer: Element, inner: Element | Text): boolean;
  children(element: Element): Element[];
  nodes(node: Node): ChildNode[];
  next(element: Element): Element | null;
  previous(element: Element): Element | null;
  /** The document, and all open shadow roots in it. */
  roots(): [Document, ...ShadowRoot[]];
  /** Elements at a point of the window, the uppermost first, with those in open shadow roots. */
  stackAt(x: number, y: number): Element[];
  /** Open shadow root. */
  shadow(element: Element): ShadowRoot | null;
  root(node: Node): Node;
  localName(element: Element): string;
  attribute(element: Element, name: string): string | null;
  attributeNames(element: Element): string[];
  text(node: Node): string;
  /** Same as `Element.outerHTML`. */
  markup(element: Element): string;
  /** Copy without content, so that no control hides its properties. */
  copy(element: Element): Element;
  /** Elements referenced by an attribute with ids. A script can also refer to elements outside of the shadow root, without ids. */
  referenced(element: Element, attribute: string): Element[];
  /** Elements with the words of the label: of a field, or of a web component around one. */
  labels(element: Element): Element[];
  /** False for unsupported selectors, such as those of pseudo-elements. */
  matches(element: Element, selector: string): boolean;
  closest(element: Element, selector: string): Element | null;
  /** Same as `Node.contains`: a node contains itself. */
  contains(outer: Node, inner: Node | null): boolean;
  /** The first matching element in an element. */
  first(element: Element, selector: string): HTMLElement | null;
  /** All matching elements in an element. */
  inside(element: Element, selector: string): HTMLElement[];
  box(element: Element): DOMRect;
  /** Same as `Element.getClientRects`. */
  boxes(element: Element): DOMRectList;
  /** Scroll position of a box, the size of its content, and the size of the visible part, in CSS pixels. */
  scroll(element: Element): { left: number; top: number; width: number; height: number; seenWidth: number; seenHeight: number };
  /** Same as `Element.checkVisibility`. */
  isShown(element: Element, options?: CheckVisibilityOptions): boolean;
  focus(element: Element, options?: FocusOptions): void;
  /** The element with the focus, also in a shadow root; undefined if only the page itself has it. */
  focused(): Element | undefined;
  /**
   * Kind of an element: the names and classes of it and its parent, and of further ancestors until one has a class. Numbers do not count:
   * scripts number the items of a list.
   */
  kindOf(element: Element): string;
  /** Declarations of the `style` attribute; undefined for elements without such a property, such as those of an unknown namespace. */
  inlineStyle(element: Element): CSSStyleDeclaration | undefined;
}

export interface DomGlobals {
  rampeDom: Dom;
}

/** Defines `rampeDom`. `openIsolatedWorld` calls it. */
export function defineDom(): void {
  const getter = (holder: object, name: string) => Object.getOwnPropertyDescriptor(holder, name)?.get as () => never;
  const [node, element] = [Node.prototype, Element.prototype];
  const of = {
    parentElement: getter(node, "parentElement") as () => HTMLElement | null,
    parentNode: getter(node, "parentNode") as () => Node | null,
    childNodes: getter(node, "childNodes") as () => NodeListOf<ChildNode>,
    textContent: getter(node, "textContent") as () => string | null,
    children: getter(element, "children") as () => HTMLCollection,
    nextElementSibling: getter(element, "nextElementSibling") as () => Element | null,
    previousElementSibling: getter(element, "previousElementSibling") as () => Element | null,
    shadowRoot: getter(element, "shadowRoot") as () => ShadowRoot | null,
    assignedSlot: getter(element, "assignedSlot") as () => Element | null,
    assignedSlotOfText: getter(Text.prototype, "assignedSlot") as () => Element | null,
    localName: getter(element, "localName") as () => string,
    scrollLeft: getter(element, "scrollLeft") as () => number,
    scrollTop: getter(element, "scrollTop") as () => number,
    scrollWidth: getter(element, "scrollWidth") as () => number,
    scrollHeight: getter(element, "scrollHeight") as () => number,
    clientWidth: getter(element, "clientWidth") as () => number,
    clientHeight: getter(element, "clientHeight") as () => number,
    outerHTML: getter(element, "outerHTML") as () => string,
    referenced: {
      "aria-labelledby": getter(element, "ariaLabelledByElements"),
      "aria-describedby": getter(element, "ariaDescribedByElements"),
      "aria-errormessage": getter(element, "ariaErrorMessageElements"),
      "aria-details": getter(element, "ariaDetailsElements"),
    } as Record<string, (() => Element[] | null) | undefined>,
    formStyle: getter(HTMLElement.prototype, "style") as () => CSSStyleDeclaration,
  };
  (globalThis as unknown as DomGlobals).rampeDom = {
    parent: (inner) => of.parentElement.call(inner),
    parentNode: (inner) => of.parentNode.call(inner),
    composedParent,
    slot: slotOf,
    holds,
    children: (outer) => [...of.children.call(outer)],
    nodes: (outer) => [...of.childNodes.call(outer)],
    next: (each) => of.nextElementSibling.call(each),
    previous: (each) => of.previousElementSibling.call(each),
    roots: () => [document, ...shadowRootsIn(document)],
    stackAt: (x, y) => stackIn(document, x, y),
    shadow: (host) => of.shadowRoot.call(host),
    root: (inner) => node.getRootNode.call(inner),
    localName: (each) => of.localName.call(each),
    attribute: (each, name) => element.getAttribute.call(each, name),
    attributeNames: (each) => element.getAttributeNames.call(each),
    text: (each) => of.textContent.call(each) ?? "",
    markup: (each) => of.outerHTML.call(each),
    copy: (each) => node.cloneNode.call(each, false) as Element,
    referenced,
    labels,
    matches(each, selector) {
      try {
        return element.matches.call(each, selector);
      } catch {
        return false;
      }
    },
    closest: (each, selector) => element.closest.call(each, selector),
    contains: (outer, inner) => node.contains.call(outer, inner),
    first: (outer, selector) => element.querySelector.call(outer, selector) as HTMLElement | null,
    inside: (outer, selector) => [...element.querySelectorAll.call(outer, selector)] as HTMLElement[],
    boxes: (each) => element.getClientRects.call(each),
    box: (each) => element.getBoundingClientRect.call(each),
    scroll: (each) => ({
      ...{ left: of.scrollLeft.call(each), top: of.scrollTop.call(each), width: of.scrollWidth.call(each), height: of.scrollHeight.call(each) },
      ...{ seenWidth: of.clientWidth.call(each), seenHeight: of.clientHeight.call(each) },
    }),
    isShown: (each, options) => element.checkVisibility.call(each, options),
    focus: (each, options) => (each instanceof HTMLFormElement ? HTMLElement.prototype.focus.call(each, options) : (each as HTMLElement).focus(options)),
    focused,
    kindOf,
    inlineStyle: (each) => (each instanceof HTMLFormElement ? of.formStyle.call(each) : (each as Partial<HTMLElement>).style),
  };

  /** Roots in tree order. Without recursion: shadow roots can be nested deeply. */
  function shadowRootsIn(outer: Document | ShadowRoot): ShadowRoot[] {
    const rootsOf = (each: Document | ShadowRoot) => [...each.querySelectorAll("*")].flatMap((host) => of.shadowRoot.call(host) ?? []);
    const found: ShadowRoot[] = [];
    const left = rootsOf(outer).reverse();
    for (let root = left.pop(); root; root = left.pop()) {
      found.push(root);
      for (const inner of rootsOf(root).reverse()) left.push(inner);
    }
    return found;
  }

  function referenced(each: Element, attribute: string): Element[] {
    const root = node.getRootNode.call(each) as Document | ShadowRoot;
    const ids = (element.getAttribute.call(each, attribute) ?? "").split(/\s+/).filter(Boolean);
    const set = of.referenced[attribute]?.call(each) ?? [];
    return [...new Set([...ids.map((id) => root.getElementById(id)).filter((found) => found !== null), ...set])];
  }

  function labels(each: Element): Element[] {
    const own = (each as Partial<HTMLInputElement>).labels;
    return [...new Set([...(own ?? labelsOfComponent(each)), ...referenced(each, "aria-labelledby")])];
  }

  /** Labels as if the component could have some: only its script knows whether it passes them on. */
  function labelsOfComponent(each: Element): Element[] {
    const around = element.closest.call(each, "label");
    const id = element.getAttribute.call(each, "id");
    const named = id ? (node.getRootNode.call(each) as Document | ShadowRoot).querySelectorAll(`label[for="${CSS.escape(id)}"]`) : [];
    return [...(around ? [around] : []), ...named];
  }

  function stackIn(outer: Document | ShadowRoot, x: number, y: number): Element[] {
    return outer.elementsFromPoint(x, y).flatMap((each) => {
      if (node.getRootNode.call(each) !== outer) return [];
      const inner = of.shadowRoot.call(each);
      if (!inner) return [each];
      const { left, right, top, bottom } = element.getBoundingClientRect.call(each);
      // A host is listed for its content, also where it has no area.
      return [...stackIn(inner, x, y), ...(x >= left && x <= right && y >= top && y <= bottom ? [each] : [])];
    });
  }

  function focused(): Element | undefined {
    let active = document.activeElement;
    for (let inner = active && of.shadowRoot.call(active)?.activeElement; inner; inner = of.shadowRoot.call(inner)?.activeElement) active = inner;
    return active && active !== document.body && active !== document.documentElement ? active : undefined;
  }

  function kindOf(inner: Element): string {
    const mostParts = 4;
    const parts: string[] = [];
    let hasClass = false;
    for (let at: Element | null = inner; at && parts.length < mostParts && !hasClass; at = composedParent(at)) {
      const classes = (element.getAttribute.call(at, "class") ?? "").replace(/\d+/g, "0").trim().replace(/\s+/g, ".");
      hasClass = classes !== "" && at !== inner;
      parts.push(`${of.localName.call(at)}.${classes}`);
    }
    return parts.join(" ");
  }

  function holds(outer: Element, inner: Element | Text): boolean {
    for (let at: Node | undefined = inner; at; at = hostOf(at)) if (node.contains.call(outer, at)) return true;
    // Only a slot shows nodes of an outer tree.
    if (!hostOf(outer)) return false;
    for (let at = composedParent(inner); at; at = composedParent(at)) if (at === outer) return true;
    return false;
  }

  function hostOf(inner: Node): Element | undefined {
    const root = node.getRootNode.call(inner);
    return root instanceof ShadowRoot ? root.host : undefined;
  }

  function slotOf(inner: Element | Text): Element | null {
    return (inner instanceof Text ? of.assignedSlotOfText : of.assignedSlot).call(inner);
  }

  function composedParent(inner: Element | Text): Element | null {
    let at = inner;
    // A slot can be in the content of another host, whose slot shows it.
    for (let slot = slotOf(at); slot; slot = slotOf(at)) at = slot;
    const outer = of.parentNode.call(at);
    return outer instanceof ShadowRoot ? outer.host : outer instanceof Element ? outer : null;
  }
}
