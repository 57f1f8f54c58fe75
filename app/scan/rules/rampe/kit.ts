import type { Axe, VirtualNode } from "~/scan/rules/axe-internals";
import type { Stop, WalkGlobals } from "~/scan/interaction/focus-log";
import type { SkippedGlobals } from "~/scan/interaction/skipped-stops";
import type { GoneControl, Opening, OpeningGlobals } from "~/scan/interaction/opening/opening-log";
import type { StartDialog, StartDialogGlobals } from "~/scan/interaction/start-dialog-log";
import type { FocusTrial, HoverGlobals, HoverTrial } from "~/scan/interaction/hover/hover-log";
import type { ITEMS_OF_ROLE } from "~/scan/interaction/keys/items-of-role";
import type { KeysGlobals, KeyTrials } from "~/scan/interaction/keys/trials";
import type { FormGlobals, FormMessage, RefusedField } from "~/scan/interaction/form-log";
import type { TypedText, TypedTextGlobals } from "~/scan/interaction/typed-text";
import type { LayoutFacts, LayoutGlobals } from "~/scan/conditions/layout-facts";
import type { FixedBarsGlobals } from "~/scan/conditions/fixed-bars";
import type { DrawingFacts, DrawingGlobals } from "~/scan/conditions/drawing-facts";
import type { OrientationFacts, OrientationGlobals } from "~/scan/conditions/orientation-facts";
import type { Dom, DomGlobals } from "~/scan/page/dom";
import type { announcesChange } from "./announces-change";
import type { contrastOf } from "./contrast-of";
import type { readStyleRules, StyleRule } from "./style-rules";
import type { ElementListeners } from "./listeners/keep-listeners";
import type { CopiedSounds } from "./media/await-sound";
import type { DrawnWordsGlobals } from "./text-alternatives/drawn-words";
import type { SlideChange, SlidesGlobals } from "./media/watch-slides";
import type { AnimatedImages } from "./media/keep-animated-images";
import type { TimeLimit } from "./timing/time-limits-in";
import type { TimeLimitsGlobals } from "./timing/collect-time-limits";
import type { JARGON } from "./text/jargon";
import type { TextChange, TextChangesGlobals } from "./text/watch-texts";

/**
 * Functions for rules of our own inside a page: facts about elements, most of them cached for the run. Texts have single
 * blanks and none around them.
 */
export interface Kit extends Dom {
  /** All matching elements of the document and its open shadow roots, in tree order. */
  all(selector: string): HTMLElement[];
  /** Explicit or implicit role; null for none. */
  role(element: Element): string | null;
  /** Selector of the items of a widget with a role; "*" for other roles. */
  itemsOf(role: string): string;
  /** Accessible name. */
  name(element: Element): string;
  /** Is the element drawn on screen, at least after scrolling? */
  isVisible(element: Element): boolean;
  /** Can a pointer hit the element? The element, or drawn content in it, must have an area within the page. */
  hasHitArea(element: Element): boolean;
  /** Is a field drawn, or its label in its place? Styled choices often hide the field. */
  isFieldVisible(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): boolean;
  /** Is the element exposed to assistive technology? */
  isExposed(element: Element): boolean;
  isFocusable(element: Element): boolean;
  isInTabOrder(element: Element): boolean;
  /** Drawn text of the element and its content, without text of fields and pictures. */
  visibleText(element: Element): string;
  /** Visible text of a list item before an inner list. */
  textBeforeList(item: Element, list: Element): string;
  style(element: Element): CSSStyleDeclaration;
  /**
   * Contrast of a CSS colour on the background of an element, from 1 to 21, rounded down to two decimals; undefined if styles do not
   * define it, as on pictures.
   */
  contrast(element: Element, color: string, opacity?: number): number | undefined;
  /** Does a font draw letters as pictures? Only the first family of `font-family` counts: stacks of text fonts end in fonts of symbols. */
  isIconFont(fontFamily: string): boolean;
  /** Does the code of an event attribute only stop the event, such as `void(0)` for old telephones? */
  doesNothing(code: string): boolean;
  /** Names of the functions called by the code of an event attribute. */
  called(code: string): string[];
  /** Source of the scripts in the document; only the beginning of each. */
  scripts(): string;
  /** Is a picture in a small part of the page with few links and buttons, such as a product card? One of them may do the same. */
  isPictureOfCard(element: Element): boolean;
  /** Is a computed colour fully transparent? */
  isTransparent(color: string): boolean;
  /** Does the name of a link say that it skips content? */
  isSkipLink(link: Element): boolean;
  /** Does the page have main content or a heading? Both are ways to bypass repeated content (techniques ARIA11 and H69). */
  hasMainOrHeading(): boolean;
  /** Does the name or description of a field, or short text beside it, announce the effect of a change? */
  announcesChange(field: Element): boolean;
  /** All matching elements in an element, including those in open shadow roots. */
  insideComposed(element: Element, selector: string): HTMLElement[];
  /** Is it a defined custom element? Its script may give it a role that no attribute shows. */
  isCustomElement(element: Element): boolean;
  /** Is the element, or does it contain, a custom element that may have a closed shadow root? */
  mayHideControls(element: Element): boolean;
  /** Closest matching ancestor in the composed tree, without the element itself. */
  around(element: Element, selector: string): HTMLElement | null;
  /** Rules of readable style sheets, nested ones too; style sheets of other origins cannot be read. */
  styleRules(): StyleRule[];
  /** False if `styleRules` lacks rules, or if it is unknown whether they apply (`@container`, `@scope`). */
  hasAllStyles(): boolean;
  /** Does a media query apply now? "" always does. */
  applies(media: string): boolean;
  /** Types of the listeners that scripts added to a node. @throws outside of an advanced analysis, or with too many listeners */
  listeners(node: Node): string[];
  /** Same as `listeners`, but none if they are unknown. */
  knownListeners(node: Node): string[];
  /** Types of a node's listeners to changes of fields and movements of the pointer, as far as known. */
  furtherListeners(node: Node): string[];
  /**
   * Can anything on the page react to users: a control, a frame or a listener? Links to other pages do not count.
   * @throws as `listeners`
   */
  hasControls(): boolean;
  /** Texts with words that scripts drew into a canvas; none if unknown, as outside of an advanced analysis. */
  drawnWords(canvas: Element): string[];
  /** Changes of texts without any user action, by element. @throws outside of an advanced analysis */
  textChanges(): Map<Element, TextChange[]>;
  /** Changes of boxes with similar children without any user action. @throws outside of an advanced analysis */
  slideChanges(): Map<Element, SlideChange[]>;
  /** Does the name of a control say that it stops something? Controls in closed menus and dialogs count. */
  saysThatItStops(): boolean;
  /** Times after which a script leaves the page, the shortest first. @throws outside of an advanced analysis, or if the scripts could not be read */
  timeLimits(): TimeLimit[];
  /** Was so much of a sound track decoded that it cannot be silence? A file with a constant bit rate may be silent all the same. */
  hasSound(media: HTMLMediaElement): boolean;
  /** Length of animated pictures in ms, by address; Infinity without end. @throws outside of an advanced analysis, or if they could not be read */
  animatedImages(): Map<string, number>;
  /** Observations about an element during the keyboard walk; undefined if the walk did not reach it, or if there was none. */
  stop(element: Element): Stop | undefined;
  /** Did neither the keyboard walk nor a Tab key beside it reach a control, although its markup allows it? */
  isSkipped(element: Element): boolean;
  /** Element to which a script moved the focus from this one during the keyboard walk; undefined if it stayed. */
  movedFocus(element: Element): Element | undefined;
  /** Result of using an element that may open something; undefined if it was not used. */
  opening(element: Element): Opening | undefined;
  /** Use of a dialog that was open when the page arrived; undefined for other elements, and after its part of the use. */
  startDialog(element: Element): StartDialog | undefined;
  /** Focus after a control disappeared whose closest remaining ancestor is this element; undefined if none did. */
  goneControl(element: Element): GoneControl | undefined;
  /** Results of the keys tried on an element; undefined if none were. */
  keyTrials(element: Element): KeyTrials | undefined;
  /** Behaviour of content that appeared while the pointer was on an element; undefined if nothing did. */
  hoverTrial(element: Element): HoverTrial | undefined;
  /** Behaviour of content that appeared while the element had the focus; undefined if nothing did. */
  focusTrial(element: Element): FocusTrial | undefined;
  /** State of a field after its form was submitted empty; undefined if no script refused that. */
  refusedField(element: Element): RefusedField | undefined;
  /** Facts about a text that is shown since a script refused to send a form; undefined for other elements. */
  formMessage(element: Element): FormMessage | undefined;
  /** State of a typed text after its form was refused because of another field; undefined if that was not tried. */
  typedText(element: Element): TypedText | undefined;
  /** Effects of the current condition on the layout; empty afterwards, undefined outside of an advanced analysis. */
  layout(): LayoutFacts | undefined;
  /** Bars at the edges of the window that leave little space on a narrow screen, each with the percentage that all of them take. */
  fixedBars(): Map<Element, number> | undefined;
  /** Problem on a phone in the current orientation; undefined if the page does not depend on it, or outside of an advanced analysis. */
  orientation(): OrientationFacts | undefined;
  /** Controls without words, and those that forced colours make invisible; undefined outside of an advanced analysis. */
  drawings(): DrawingFacts | undefined;
  /** Jargon and idioms, by language. */
  jargon: typeof JARGON;
  /** Normalised text for comparisons: lower case, single blanks, no punctuation. */
  plain(text: string): string;
  /** Mark of a list before a text, such as “2)”, “(a)”, “1.2.” or “iv.”; "" for none. */
  listMark(text: string): string;
  /** The first 80 characters, for messages. */
  excerpt(text: string): string;
  /**
   * Is the element the first of its kind (`Dom.kindOf`)? A rule asks one question about elements that look alike.
   * @param question the rule that asks, or what several rules ask about
   * @param look further property that elements alike have in common
   */
  isFirstOfKind(element: Element, question: string, look?: string): boolean;
  /** Returns a fact about the whole document, computed once per run. */
  once<Fact>(key: string, make: () => Fact): Fact;
}

/** Parts sent with the kit, as source text or JSON. */
interface KitParts {
  itemsOfRole: typeof ITEMS_OF_ROLE;
  jargon: typeof JARGON;
  announcesChange: typeof announcesChange;
  contrastOf: typeof contrastOf;
  readStyleRules: typeof readStyleRules;
}

interface KitGlobals extends DomGlobals, ElementListeners, AnimatedImages, CopiedSounds, TextChangesGlobals, SlidesGlobals, DrawnWordsGlobals, WalkGlobals, SkippedGlobals, OpeningGlobals, StartDialogGlobals, KeysGlobals, HoverGlobals, FormGlobals, TypedTextGlobals, TimeLimitsGlobals, LayoutGlobals, OrientationGlobals, DrawingGlobals, FixedBarsGlobals {
  axe: Axe;
}

/** Creates the kit from its parts. Runs inside a page; see `PageRule`. */
export function makeKit({ itemsOfRole, jargon, announcesChange, contrastOf, readStyleRules }: KitParts): Kit {
  const { axe, rampeDom } = globalThis as unknown as KitGlobals;
  const { aria, dom, text } = axe.commons;
  const leastHitPixels = 3;
  const longestExcerpt = 80;
  // axe creates new virtual nodes for every run, so facts end with the run.
  let facts = new Map<string, unknown>();
  let factsOf: VirtualNode | undefined;
  const texts = new WeakMap<VirtualNode, string>();

  const kit: Kit = {
    ...rampeDom,
    jargon,
    all(selector) {
      const [tree] = axe._tree ?? [];
      if (!tree) return [];
      return axe.utils.querySelectorAll(tree, selector).map(({ actualNode }) => actualNode as HTMLElement);
    },
    role: (element) => {
      const node = nodeOf(element);
      return node ? aria.getRole(node) : null;
    },
    itemsOf: (role) => itemsOfRole[role] ?? "*",
    name: (element) => {
      const node = nodeOf(element);
      return node ? text.sanitize(text.accessibleTextVirtual(node)) : "";
    },
    isVisible: (element) => dom.isVisibleOnScreen(element),
    hasHitArea: (element) =>
      [element, ...kit.inside(element, "*")].some((each) => {
        const { width, height, right, bottom } = kit.box(each);
        return width >= leastHitPixels && height >= leastHitPixels && right + scrollX > 0 && bottom + scrollY > 0 && dom.isVisibleOnScreen(each);
      }),
    isFieldVisible: (field) => kit.isVisible(field) || [...(field.labels ?? [])].some((label) => kit.isVisible(label)),
    isExposed: (element) => dom.isVisibleToScreenReaders(element),
    isFocusable: (element) => {
      const node = nodeOf(element);
      return node ? dom.isFocusable(node) : false;
    },
    isInTabOrder: (element) => {
      const node = nodeOf(element);
      return node ? dom.isInTabOrder(node) : false;
    },
    visibleText(element) {
      const node = nodeOf(element);
      const known = node && texts.get(node);
      if (!node || known !== undefined) return known ?? "";
      const parts: string[] = [];
      collectText(node, parts);
      const words = text.sanitize(parts.join(""));
      texts.set(node, words);
      return words;
    },
    textBeforeList(item, list) {
      const words = kit.visibleText(item);
      return words.slice(0, Math.max(0, words.indexOf(kit.visibleText(list))));
    },
    style: (element) => getComputedStyle(element),
    contrast: (element, color, opacity) => contrastOf(kit, element, color, opacity),
    isIconFont: (fontFamily) => /icon|symbol|awesome|glyph|dingbat/i.test(fontFamily.split(",", 1)[0] ?? ""),
    doesNothing: (code) => /^[\s;]*((event\.)?(stopPropagation|preventDefault)\(\)[\s;]*)*(return (true|false)[\s;]*|(javascript:)?void(\s*\(0\)|\s+0)[\s;]*)?$/.test(code),
    called: (code) => [...code.matchAll(/\b([A-Za-z_$][\w$]*)\s*\(/g)].map(([, name = ""]) => name),
    scripts: () => kit.once("scripts in the document", () => [...document.scripts].map((script) => script.text.slice(0, 50_000)).join("\n")),
    isPictureOfCard(element) {
      const [levels, most] = [4, 3];
      if (!kit.matches(element, "img, picture") && kit.first(element, "img, picture") === null) return false;
      const counts = kit.once("links and buttons of parts", () => new Map<Element, number>());
      let part = kit.composedParent(element);
      for (let level = 0; part && level < levels && !kit.matches(part, "html, body, main, section, header, [role=main], [role=region], [role=banner]"); level += 1) {
        const count = counts.get(part) ?? kit.insideComposed(part, "a[*|href], button").filter((each) => kit.isVisible(each)).length;
        counts.set(part, count);
        if (count > 0) return count <= most;
        part = kit.composedParent(part);
      }
      return false;
    },
    isTransparent: (color) => /^(transparent|rgba\(.*, 0\))$/.test(color),
    isSkipLink: (link) => /\b(skip|jump)\b|\b(zum|zur|direkt zu[mr]?) (haupt)?(inhalt|navigation|suche|menü)|überspringen|springen/.test(kit.plain(kit.name(link))) && kit.isExposed(link),
    hasMainOrHeading: () =>
      kit.once("main content or a heading", () => kit.all("main, [role=main], h1, h2, h3, h4, h5, h6, [role=heading]").some((each) => /^(main|heading)$/.test(kit.role(each) ?? "") && kit.isExposed(each))),
    announcesChange: (field) => announcesChange(kit, field),
    insideComposed(element, selector) {
      const rootsByOuter = kit.once("shadow roots by the root around", shadowRootsByOuter);
      const isInside = (root: ShadowRoot) => kit.contains(element, root.host);
      const found: Element[] = [...kit.inside(element, selector)];
      const left = (rootsByOuter.get(kit.root(element)) ?? []).filter(isInside).reverse();
      // Without recursion: shadow roots can be nested deeply.
      for (let root = left.pop(); root; root = left.pop()) {
        for (const each of root.querySelectorAll(selector)) found.push(each);
        for (const inner of (rootsByOuter.get(root) ?? []).toReversed()) left.push(inner);
      }
      return found as HTMLElement[];
    },
    isCustomElement: (element) => kit.localName(element).includes("-") && kit.matches(element, ":defined"),
    mayHideControls: (element) => [element, ...kit.insideComposed(element, "*")].some((each) => kit.isCustomElement(each) && !kit.shadow(each)),
    around(element, selector) {
      for (let at = kit.composedParent(element); at; at = kit.composedParent(at)) {
        // Elements of SVG have every property that callers use.
        if (kit.matches(at, selector)) return at as HTMLElement;
      }
      return null;
    },
    styleRules: () => kit.once("style rules", readStyleRules).rules,
    hasAllStyles: () => kit.once("style rules", readStyleRules).isWhole,
    applies: (media) => media === "" || matchMedia(media).matches,
    listeners(node) {
      const { rampeListeners } = globalThis as unknown as KitGlobals;
      if (!rampeListeners) throw new Error("The listeners of this page are not known.");
      return rampeListeners.get(node) ?? [];
    },
    knownListeners: (node) => (globalThis as unknown as KitGlobals).rampeListeners?.get(node) ?? [],
    furtherListeners: (node) => (globalThis as unknown as KitGlobals).rampeFurtherListeners?.get(node) ?? [],
    hasControls: () =>
      kit.once("what may react", () => {
        const controls =
          "button, summary, label, input, select, textarea, iframe, object, embed, [tabindex], [contenteditable], [role=button], [role=link], [role=switch], [role=checkbox], [role=slider], a:not([href]), a[href^='#'], a[href^='javascript:'], [onclick], [onmousedown], [onpointerdown], [onkeydown], [onkeyup]";
        const listens = (node: Node) => kit.listeners(node).length > 0;
        // Listeners in closed shadow roots are unknown. A text may stop while the pointer is over it.
        const mayListen = (element: Element) => kit.localName(element).includes("-") || listens(element);
        const { rampeHovered = [] } = globalThis as unknown as KitGlobals;
        return kit.all(controls).length > 0 || rampeHovered.length > 0 || listens(document) || kit.all("*").some(mayListen);
      }),
    drawnWords: (canvas) => (globalThis as unknown as KitGlobals).rampeDrawnWords?.get(canvas) ?? [],
    textChanges() {
      const { rampeTexts } = globalThis as unknown as KitGlobals;
      if (!rampeTexts) throw new Error("The changes of texts in this page are not known.");
      return rampeTexts.changes;
    },
    slideChanges() {
      const { rampeSlides } = globalThis as unknown as KitGlobals;
      if (!rampeSlides) throw new Error("The slides of this page are not known.");
      return rampeSlides.changes;
    },
    saysThatItStops: () =>
      kit.once("what stops changes", () => {
        const words = /\b(stop(s|p?en)?|paus(e|es|ieren)|freez(e|es)|(an|auf)halten)\b/;
        const controls = "button, input, summary, label, a:not([href]), a[href^='#'], a[href^='javascript:'], [role=button], [role=switch], [role=checkbox]";
        const said = (control: Element) => [kit.text(control), ...["aria-label", "title", "value"].map((name) => kit.attribute(control, name) ?? "")];
        // Questions and longer sentences have other subjects, such as subscriptions.
        const isOfControl = (text: string) => !/\?\s*$/.test(text) && kit.plain(text).split(" ").length <= 5;
        const texts = [...document.querySelectorAll(controls)].flatMap(said).filter(isOfControl);
        return texts.some((text) => words.test(kit.plain(text)));
      }),
    timeLimits() {
      const { rampeTimeLimits } = globalThis as unknown as KitGlobals;
      if (!rampeTimeLimits) throw new Error("The scripts of this page are not known.");
      return rampeTimeLimits;
    },
    hasSound(media) {
      // Silence takes about 250 bytes a second in the usual formats, speech more than 1000. A browser decodes a little ahead.
      const [leastBytes, aheadSeconds] = [1_000, 2];
      const copy = (globalThis as unknown as KitGlobals).rampeSounds?.get(media);
      const isNamedSilent = /silen(t|ce)|blank|empty/i.test(media.currentSrc.slice(0, 2_000));
      if (copy) return copy.bytes / (aheadSeconds + copy.seconds) >= leastBytes && !isNamedSilent;
      const { webkitAudioDecodedByteCount: decoded = 0 } = media as HTMLMediaElement & { webkitAudioDecodedByteCount?: number };
      const played = Array.from({ length: media.played.length }, (_, index) => media.played.end(index) - media.played.start(index));
      // The number of repetitions of a loop is unknown.
      const seconds = aheadSeconds + (media.loop && played.length > 0 ? performance.now() / 1_000 : played.reduce((sum, part) => sum + part, 0));
      return decoded / seconds >= leastBytes && !isNamedSilent;
    },
    animatedImages() {
      const { rampeAnimatedImages } = globalThis as unknown as KitGlobals;
      if (!rampeAnimatedImages) throw new Error("The moving pictures of this page are not known.");
      return rampeAnimatedImages;
    },
    stop: (element) => (globalThis as unknown as KitGlobals).rampeWalk?.stops.get(element),
    movedFocus: (element) => (globalThis as unknown as KitGlobals).rampeWalk?.moved.get(element),
    opening: (element) => (globalThis as unknown as KitGlobals).rampeOpenings?.openings.get(element),
    startDialog: (element) => (globalThis as unknown as KitGlobals).rampeStartDialogs?.known.get(element),
    hoverTrial: (element) => (globalThis as unknown as KitGlobals).rampeHover?.trials.get(element),
    focusTrial: (element) => (globalThis as unknown as KitGlobals).rampeHover?.focusTrials.get(element),
    goneControl: (element) => (globalThis as unknown as KitGlobals).rampeOpenings?.gone.get(element),
    isSkipped: (element) => (globalThis as unknown as KitGlobals).rampeSkipped?.skipped.has(element) === true,
    keyTrials: (element) => (globalThis as unknown as KitGlobals).rampeKeys?.trials.get(element),
    refusedField: (element) => (globalThis as unknown as KitGlobals).rampeForms?.field(element),
    formMessage: (element) => (globalThis as unknown as KitGlobals).rampeForms?.message(element),
    typedText: (element) => (globalThis as unknown as KitGlobals).rampeTypedTexts?.texts.get(element),
    layout: () => (globalThis as unknown as KitGlobals).rampeLayout,
    drawings: () => (globalThis as unknown as KitGlobals).rampeDrawings,
    fixedBars: () => (globalThis as unknown as KitGlobals).rampeFixedBars,
    orientation: () => (globalThis as unknown as KitGlobals).rampeOrientation,
    plain: (words) =>
      words
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
        .trim(),
    listMark(words) {
      const bracketed = /^\s*\(?(\d{1,3}|\p{L}|[ivx]{2,4})\.?\)(?=\s*[\p{L}\p{N}])/iu;
      const stopped = /^\s*(\d{1,3}(\.\d{1,3})*|\p{L}|[ivx]{2,4})\.(?=\s+\p{L})/iu;
      return (bracketed.exec(words) ?? stopped.exec(words))?.[0].trim() ?? "";
    },
    excerpt: (words) => (words.length > longestExcerpt ? `${words.slice(0, longestExcerpt)} …` : words),
    isFirstOfKind(element, question, look = "") {
      const firsts = kit.once(`kinds of ${question}`, () => new Map<string, Element>());
      const kind = `${kit.kindOf(element)} ${look}`;
      if (!firsts.has(kind)) firsts.set(kind, element);
      return firsts.get(kind) === element;
    },
    once<Fact>(key: string, make: () => Fact): Fact {
      const [tree] = axe._tree ?? [];
      if (tree !== factsOf) [facts, factsOf] = [new Map<string, unknown>(), tree];
      if (!facts.has(key)) facts.set(key, make());
      return facts.get(key) as Fact;
    },
  };
  return kit;

  function nodeOf(element: Element): VirtualNode | undefined {
    return axe.utils.getNodeFromTree(element) ?? undefined;
  }

  function shadowRootsByOuter(): Map<Node, ShadowRoot[]> {
    const roots = new Map<Node, ShadowRoot[]>();
    for (const host of kit.all("*")) {
      const root = kit.shadow(host);
      const outer = root && kit.root(host);
      if (outer) roots.set(outer, roots.get(outer) ?? []).get(outer)?.push(root);
    }
    return roots;
  }

  /** Collects texts, with blanks where blocks begin and end, as on screen. */
  function collectText(node: VirtualNode, parts: string[]): void {
    for (const child of node.children) {
      const { actualNode } = child;
      if (actualNode instanceof Text) {
        const holder = actualNode.parentElement;
        if (holder && dom.isVisibleOnScreen(holder)) parts.push(actualNode.data);
      } else if (actualNode instanceof Element) {
        const isInline = child.getComputedStylePropertyValue("display") === "inline" && kit.localName(actualNode) !== "br";
        if (!isInline) parts.push(" ");
        collectText(child, parts);
        if (!isInline) parts.push(" ");
      }
    }
  }
}
