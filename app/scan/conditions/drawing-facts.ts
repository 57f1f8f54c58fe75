import type { DomGlobals } from "~/scan/page/dom";

/* These functions run inside a page, in an isolated world; they are sent as source text. */

export interface DrawingFacts {
  /** Is any part of a control visible? Also true if this cannot be determined. */
  isDrawn: (control: Element) => boolean;
  /** Controls without words, as drawn in the usual colours. */
  usual: Element[];
  /** Controls of `usual` of which nothing is visible in the condition. */
  lost: Set<Element>;
}

export interface DrawingGlobals {
  rampeDrawings?: DrawingFacts;
}

/**
 * Keeps the controls that are drawn without words, before the page is shown in the colours of its user.
 * @returns whether there are any
 */
export function rememberDrawings(): boolean {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const limits = { controls: 1_000, parts: 60, ratio: 3, text: 3, side: 8 };
  const shapes = "path, circle, rect, ellipse, polygon, polyline, line";
  const controls = "a[href], button, summary, [role=button], [role=link], [role=switch], [role=checkbox], [role=radio], [role=slider], [role=tab], [role=menuitem]";
  const found = dom
    .inside(document.documentElement, controls)
    .slice(0, limits.controls)
    .filter((each) => isShown(each) && !hasWords(each) && !isUnknown(each) && isDrawn(each));
  (globalThis as DrawingGlobals).rampeDrawings = { isDrawn, usual: found, lost: new Set() };
  return found.length > 0;

  function isShown(control: Element): boolean {
    const { width, height } = dom.box(control);
    return Math.min(width, height) >= limits.side && dom.isShown(control, { opacityProperty: true, visibilityProperty: true }) && !dom.closest(control, "[aria-hidden=true], [inert]");
  }

  function partsOf(control: Element): Element[] {
    return [control, ...dom.inside(control, "*")];
  }

  /** Text always takes the colours of the user. */
  function hasWords(control: Element): boolean {
    return partsOf(control).some((each) => isSeen(each) && dom.nodes(each).some((node) => node instanceof Text && /\S/.test(node.data) && isOnScreen(node)));
  }

  function isOnScreen(text: Text): boolean {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, width, height } = range.getBoundingClientRect();
    return Math.min(width, height) >= limits.text && right > 0 && left < innerWidth;
  }

  /** False for content for screen readers only. */
  function isSeen(part: Element): boolean {
    const { width, height } = dom.box(part);
    const { clip, clipPath, display } = getComputedStyle(part);
    const isClipped = clip !== "auto" || /inset\((5\d|100)%/.test(clipPath);
    return display === "contents" || (Math.min(width, height) >= limits.text && !isClipped && dom.isShown(part, { opacityProperty: true, visibilityProperty: true }));
  }

  /** Does the control contain a picture, whose colours do not change, or a closed part? */
  function isUnknown(control: Element): boolean {
    const parts = partsOf(control);
    const pictures = "img, picture, canvas, video, input, select, textarea, iframe, object, embed, image, svg text, foreignObject";
    return parts.length > limits.parts || parts.some((each) => dom.matches(each, pictures) || dom.localName(each).includes("-") || dom.shadow(each) !== null);
  }

  function isDrawn(control: Element): boolean {
    return partsOf(control).some((each) => isSeen(each) && (each instanceof SVGElement ? isPainted(each) : ["", "::before", "::after"].some((part) => isBoxDrawn(each, part))));
  }

  function isBoxDrawn(box: Element, part: string): boolean {
    const style = getComputedStyle(box, part || null);
    if (part && /^(none|normal)$/.test(style.content)) return false;
    // Characters of icon fonts.
    if (part && !/^""$|^attr|^counter/.test(style.content)) return true;
    const behind = part ? box : dom.composedParent(box);
    const sides = ["Top", "Right", "Bottom", "Left"] as const;
    const hasBorder = sides.some((side) => parseFloat(style[`border${side}Width`]) > 0 && !/none|hidden/.test(style[`border${side}Style`]) && differs(style[`border${side}Color`], behind));
    const hasOutline = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none" && differs(style.outlineColor, behind);
    // A mask also cuts borders and pictures; the visible rest is unknown.
    return style.backgroundImage !== "none" || hasBorder || hasOutline || differs(style.backgroundColor, behind);
  }

  function isPainted(drawing: SVGElement): boolean {
    if (dom.closest(drawing, "defs, symbol, clipPath, mask, marker, pattern")) return false;
    const isUse = dom.localName(drawing) === "use";
    if (isUse && !inheritsPaint(drawing)) return true;
    if (!isUse && !dom.matches(drawing, shapes)) return false;
    const { fill, stroke, strokeWidth } = getComputedStyle(drawing);
    const isFilled = dom.localName(drawing) !== "line" && differs(fill, drawing);
    return isFilled || (parseFloat(strokeWidth) > 0 && differs(stroke, drawing));
  }

  /** Does a copied drawing (`use`) take the colours of its new place? */
  function inheritsPaint(use: SVGElement): boolean {
    const id = /^#(.+)/.exec(dom.attribute(use, "href") ?? dom.attribute(use, "xlink:href") ?? "")?.[1];
    const source = id === undefined ? null : document.getElementById(id);
    return source !== null && partsOf(source).every((each) => !["fill", "stroke", "style", "class", "href"].some((name) => dom.attribute(each, name) !== null));
  }

  /** Has a colour enough contrast with its background? Also true if this is unknown. */
  function differs(color: string, behind: Element | null): boolean {
    if (color === "none") return false;
    const paint = numbersOf(color);
    if (!paint) return true;
    if (paint.alpha === 0) return false;
    const ground = groundOf(behind);
    if (!ground) return true;
    const mixed = paint.parts.map((part, index) => part * paint.alpha + (ground[index] ?? 0) * (1 - paint.alpha));
    const [light, dark] = [luminanceOf(mixed), luminanceOf(ground)].sort((one, other) => other - one) as [number, number];
    return (light + 0.05) / (dark + 0.05) >= limits.ratio;
  }

  /** Background colour of an element; undefined if the background is a picture or partly transparent. */
  function groundOf(element: Element | null): number[] | undefined {
    for (let at = element; at; at = dom.composedParent(at)) {
      if (at instanceof SVGElement) continue;
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      const paint = numbersOf(backgroundColor);
      if (backgroundImage !== "none" || !paint || (paint.alpha > 0 && paint.alpha < 1)) return undefined;
      if (paint.alpha === 1) return paint.parts;
    }
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches && (matchMedia("(forced-colors: active)").matches || getComputedStyle(document.documentElement).colorScheme.includes("dark"));
    return isDark ? [0, 0, 0] : [255, 255, 255];
  }

  function numbersOf(color: string): { parts: number[]; alpha: number } | undefined {
    const numbers = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color)?.slice(1);
    return numbers && { parts: numbers.slice(0, 3).map(Number), alpha: Number(numbers[3] ?? 1) };
  }

  /** Relative luminance, as defined by WCAG. */
  function luminanceOf(parts: number[]): number {
    const [red, green, blue] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}

/** Keeps the controls of which nothing is visible in the current condition. */
export function noteDrawings(): void {
  const { rampeDrawings: drawings, rampeDom: dom } = globalThis as unknown as DrawingGlobals & DomGlobals;
  if (!drawings) throw new Error("No drawings are remembered.");
  drawings.lost = new Set(drawings.usual.filter((each) => dom.isShown(each, { opacityProperty: true, visibilityProperty: true }) && !drawings.isDrawn(each)));
}

/** Back in the usual condition: forgets controls that are not drawn here either, because the page has changed by itself. */
export function confirmDrawings(): void {
  const { rampeDrawings: drawings } = globalThis as DrawingGlobals;
  for (const each of drawings?.lost ?? []) if (!drawings?.isDrawn(each)) drawings?.lost.delete(each);
}

export function hasLostDrawings(): boolean {
  return ((globalThis as DrawingGlobals).rampeDrawings?.lost.size ?? 0) > 0;
}
