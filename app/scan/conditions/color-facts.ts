import type { PausingGlobals } from "~/scan/page/pause";

/* These functions run inside a page, in an isolated world; they are sent as source text. */

interface ColorGlobals {
  rampeColors?: {
    /** Colours of each drawn element; on a large page, only of the first elements. */
    read: () => Map<Element, string>;
    usual: Map<Element, string>;
    /** Elements with other colours in the condition, and these colours. */
    changed: Map<Element, string>;
  };
}

/** Keeps the colours of the page before it is shown in other conditions. */
export function rememberColors(): void {
  const most = 3_000;
  (globalThis as ColorGlobals).rampeColors = { read, usual: read(), changed: new Map() };

  function read(): Map<Element, string> {
    const found = new Map<Element, string>();
    for (const root of [document, ...openRoots()]) {
      for (const each of root.querySelectorAll("*")) {
        if (found.size === most) return found;
        if (Element.prototype.checkVisibility.call(each)) found.set(each, paintOf(each));
      }
    }
    return found;
  }

  function openRoots(): ShadowRoot[] {
    return [...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot instanceof ShadowRoot ? shadowRoot : []));
  }

  function paintOf(element: Element): string {
    const { color, backgroundColor, backgroundImage, borderTopColor, borderBottomColor, fill, stroke, colorScheme } = getComputedStyle(element);
    const source = element instanceof HTMLImageElement ? element.currentSrc : "";
    return `${[color, backgroundColor, backgroundImage, borderTopColor, borderBottomColor, fill, stroke, colorScheme].join(" ")}\n${source}`;
  }
}

/**
 * Keeps the elements whose colours differ in the current condition.
 * @param isOfSize in a window of another size, new elements and other files of images are usual: they do not count
 */
export function noteColors(isOfSize: boolean): void {
  const { rampeColors: colors } = globalThis as ColorGlobals;
  if (!colors) throw new Error("No colours are remembered.");
  const declared = [...document.querySelectorAll("meta[name=color-scheme]")].map((each) => each.getAttribute("content") ?? "");
  const schemes = [getComputedStyle(document.documentElement).colorScheme, ...declared];
  const stylesOf = (paint: string) => paint.split("\n", 1)[0];
  const isChanged = (paint: string, usual: string | undefined) => (isOfSize ? usual !== undefined && stylesOf(usual) !== stylesOf(paint) : usual !== paint);
  colors.changed = new Map([...colors.read()].filter(([element, paint]) => isChanged(paint, colors.usual.get(element))));
  if (isOfSize) return;
  // Then the browser paints the page itself in another colour, which no style contains.
  if (schemes.some((each) => /light/.test(each) && /dark/.test(each))) colors.changed.set(document.documentElement, "");
}

/** Back in the usual condition: forgets colours that are the same here, because the condition is not their reason. */
export function confirmColors(): void {
  const { rampeColors: colors } = globalThis as ColorGlobals;
  const now = colors?.read();
  for (const [element, paint] of colors?.changed ?? []) if (now?.get(element) === paint) colors?.changed.delete(element);
}

/** Does the current condition change any colours, so that rules have something to judge? */
export function hasNewColors(): boolean {
  const { rampeColors: colors } = globalThis as ColorGlobals;
  return colors !== undefined && colors.changed.size > 0;
}

/** Waits for the end of colour transitions. @returns false if they took longer than `mostMs` */
export async function awaitColors(mostMs: number): Promise<boolean> {
  const { pause } = globalThis as unknown as PausingGlobals;
  const end = performance.now() + mostMs;
  const isPassing = () =>
    document.getAnimations().some((each) => each instanceof CSSTransition && each.playState === "running" && /color|background|fill|stroke/.test(each.transitionProperty));
  while (isPassing()) {
    if (performance.now() > end) return false;
    await pause(50);
  }
  return true;
}

/** Is the page drawn on the browser's own background? */
export function isOnCanvas(): boolean {
  const isEmpty = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration) => backgroundImage === "none" && /^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
  return [document.documentElement, document.body].every((each) => isEmpty(getComputedStyle(each)));
}
