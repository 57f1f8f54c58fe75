import type { DomGlobals } from "~/scan/page/dom";
import type { AnalyserGlobals } from "~/scan/rules/analyser";

/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none may use
 * anything outside itself except types.
 */

/** Part of the view, in CSS pixels; a picture has one pixel for each. */
export interface Clip {
  /** Distance from the left edge of the view; `y` from its top. */
  x: number;
  y: number;
  /** Distance from the left edge of the page; `pageY` from its top. */
  pageX: number;
  pageY: number;
  width: number;
  height: number;
}

export interface DrawnText {
  index: number;
  element: HTMLElement;
  required: number;
  color: TextColor;
  letters: DOMRect[];
  /** All letters of the text are in view. */
  isWhole: boolean;
}

export interface TextColor {
  red: number;
  green: number;
  blue: number;
  /** Opacity of the colour, from 0 to 1. */
  alpha: number;
  /** Opacity of the element and its ancestors, from 0 to 1. */
  opacity: number;
}

interface DrawnTexts {
  /** Indexes not measured yet. */
  waiting: Set<number>;
  inView: DrawnText[];
  /** Inline styles before the change. */
  styles: Map<HTMLElement, string | null>;
  /** Elements whose image is missing. */
  withoutImage: Element[];
  /** Colour of an element's text; undefined if the styles do not define it, or while it changes. */
  colorOf: (element: Element) => TextColor | undefined;
}

export interface DrawnTextGlobals {
  drawnTexts?: DrawnTexts;
}

/**
 * Scrolls to the next text to measure, and finds all texts in view there.
 * @param required contrast for each of axe-core's open questions; 0 for excluded ones
 * @param failedImages addresses of images that did not load: text on them is not measured
 * @returns part of the view with these texts; null if none is left
 */
export function nextTexts(required: number[], failedImages: string[]): Clip | null {
  const isolatedWorld = globalThis as unknown as AnalyserGlobals & DrawnTextGlobals & DomGlobals;
  const { analyser, rampeDom: dom } = isolatedWorld;
  const most = { letters: 400, texts: 60 };
  const state: DrawnTexts = (isolatedWorld.drawnTexts ??= { waiting: new Set(required.keys()), inView: [], styles: new Map(), withoutImage: withoutImage(), colorOf });
  for (;;) {
    const [first] = state.waiting;
    if (first === undefined) return null;
    const element = elementOf(first);
    if (!element) {
      state.waiting.delete(first);
      continue;
    }
    Element.prototype.scrollIntoView.call(element, { block: "center", inline: "nearest", behavior: "instant" });
    state.inView = [];
    const uncertain = [...state.withoutImage, ...movingElements()];
    for (const index of state.waiting) {
      if (state.inView.length === most.texts) break;
      const text = textInView(index, uncertain);
      if (!text && index !== first) continue;
      state.waiting.delete(index);
      if (text) state.inView.push(text);
    }
    if (state.inView.length > 0) return clipOf(state.inView.flatMap(({ letters }) => letters));
  }

  function elementOf(index: number): HTMLElement | undefined {
    const mark = analyser.openContrasts[index];
    const element = mark === undefined ? undefined : analyser.marked[mark];
    // Controls of a form may have the names of its methods.
    return element instanceof HTMLElement && !(element instanceof HTMLFormElement) && required[index] ? element : undefined;
  }

  /** @param uncertain elements whose pictures prove nothing about the text in front of them */
  function textInView(index: number, uncertain: Element[]): DrawnText | undefined {
    const element = elementOf(index);
    if (!element || !Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true })) return undefined;
    const box = Element.prototype.getBoundingClientRect.call(element);
    const color = colorOf(element);
    if (box.bottom < 0 || box.top > innerHeight || !color) return undefined;
    const all = lettersOf(element);
    const letters = all.filter(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight);
    if (letters.length < 2 || uncertain.some((each) => covers(each, letters))) return undefined;
    return { index, element, required: required[index] ?? 0, color, letters, isWhole: letters.length === all.length };
  }

  function colorOf(element: Element): TextColor | undefined {
    const { webkitTextFillColor, webkitTextStrokeWidth, backgroundClip } = getComputedStyle(element);
    if (parseFloat(webkitTextStrokeWidth) > 0 || backgroundClip.includes("text")) return undefined;
    let opacity = 1;
    for (let each: Element | null = element; each; each = dom.composedParent(each)) {
      const style = getComputedStyle(each);
      if (style.filter !== "none" || style.mixBlendMode !== "normal" || Element.prototype.getAnimations.call(each).length > 0) return undefined;
      opacity *= Number(style.opacity);
    }
    const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.fillStyle = webkitTextFillColor;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return alpha === 0 ? undefined : { red, green, blue, alpha: alpha / 255, opacity };
  }

  /** Boxes of the letters and digits of the element's own text; of long texts, only a sample. */
  function lettersOf(element: Element): DOMRect[] {
    const range = document.createRange();
    const places: [Node, number, number][] = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentNode !== element) continue;
      for (const { 0: letter, index } of (node as Text).data.matchAll(/[\p{L}\p{N}]/gu)) places.push([node, index, letter.length]);
    }
    const every = Math.max(1, Math.ceil(places.length / most.letters));
    return places.flatMap(([node, at, length], position) => {
      if (position % every !== 0) return [];
      range.setStart(node, at);
      range.setEnd(node, at + length);
      const [rect] = range.getClientRects();
      return rect && rect.width >= 2 && rect.height >= 4 ? [rect] : [];
    });
  }

  function withoutImage(): Element[] {
    const isMissing = (background: string) => failedImages.some((address) => background.includes(`"${address}"`));
    return [...document.querySelectorAll("*")].filter((each) =>
      each instanceof HTMLImageElement
        ? !each.complete || each.naturalWidth === 0
        : failedImages.length > 0 && ["", "::before", "::after"].some((part) => isMissing(getComputedStyle(each, part).backgroundImage)),
    );
  }

  /** Elements that move: two pictures taken one after the other may show the same state. */
  function movingElements(): Element[] {
    const animated = document.getAnimations().map(({ effect, playState }) => (playState === "running" && effect instanceof KeyframeEffect ? effect.target : null));
    const films = [...document.querySelectorAll("video")].filter(({ paused }) => !paused);
    return [...animated.filter((each) => each !== null), ...films];
  }

  function covers(element: Element, letters: DOMRect[]): boolean {
    const box = Element.prototype.getBoundingClientRect.call(element);
    return letters.some(({ left, top, right, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top);
  }

  function clipOf(rects: DOMRect[]): Clip {
    const left = Math.floor(Math.min(...rects.map((rect) => rect.left)));
    const top = Math.floor(Math.min(...rects.map((rect) => rect.top)));
    const width = Math.ceil(Math.max(...rects.map(({ right }) => right))) - left;
    const height = Math.ceil(Math.max(...rects.map(({ bottom }) => bottom))) - top;
    const { pageLeft, pageTop } = visualViewport ?? { pageLeft: scrollX, pageTop: scrollY };
    return { x: left, y: top, pageX: pageLeft + left, pageY: pageTop + top, width, height };
  }
}

/** Gives the texts in view another colour; null restores their own. */
export function paintTexts(paint: string | null): void {
  const { drawnTexts } = globalThis as unknown as DrawnTextGlobals;
  if (!drawnTexts) return;
  const { inView, styles } = drawnTexts;
  for (const { element } of inView) {
    if (paint === null) {
      const style = styles.get(element);
      if (style === null) element.removeAttribute("style");
      else if (style !== undefined) element.setAttribute("style", style);
      continue;
    }
    if (!styles.has(element)) styles.set(element, element.getAttribute("style"));
    element.style.setProperty("transition", "none", "important");
    element.style.setProperty("-webkit-text-fill-color", paint, "important");
  }
  if (paint === null) styles.clear();
}

/** Starts again: the next texts are those of the latest report. */
export function forgetTexts(): void {
  delete (globalThis as unknown as DrawnTextGlobals).drawnTexts;
}
