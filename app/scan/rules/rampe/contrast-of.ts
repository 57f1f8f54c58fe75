import type { Axe, AxeColor } from "~/scan/rules/axe-internals";
import type { Dom } from "~/scan/page/dom";

/** Methods of the kit used here. */
interface ColorKit extends Dom {
  isTransparent(color: string): boolean;
  once<Fact>(key: string, make: () => Fact): Fact;
}

/** See `Kit.contrast`. Runs inside a page; sent as source text. */
export function contrastOf(kit: ColorKit, element: Element, color: string, opacity = 1): number | undefined {
  const { axe } = globalThis as unknown as { axe: Axe };
  try {
    if (hasUnseenLayers(element)) return undefined;
    const background = element instanceof SVGElement ? colorBehind(element) : axe.commons.color.getBackgroundColor(element);
    if (!background) return undefined;
    const paint = new axe.commons.color.Color(0, 0, 0);
    paint.parseString(color);
    paint.alpha *= opacity;
    const ratio = axe.commons.color.getContrast(background, paint);
    return ratio === null ? undefined : Math.floor(ratio * 100) / 100;
  } catch {
    // axe-core does not know the colour or the place.
    return undefined;
  }

  /** Does axe-core's stack of backgrounds miss an effect or a layer, also of the element itself? */
  function hasUnseenLayers(element: Element | null): boolean {
    if (!element) return getComputedStyle(document.documentElement).colorScheme.includes("dark");
    return remembered("unseen layers", element, () => {
      const style = getComputedStyle(element);
      if (hasEffects(element)) return true;
      const isOpaque = axe.commons.color.getOwnBackgroundColor(style).alpha === 1;
      // The background of a fixed box changes with scrolling.
      return !isOpaque && (/^(fixed|sticky)$/.test(style.position) || hasUnseenLayers(kit.composedParent(element)));
    });
  }

  /** Does an effect on the element or around it change its colours? */
  function hasEffects(element: Element | null): boolean {
    if (!element) return false;
    return remembered("effects", element, () => {
      const { filter, backdropFilter, mixBlendMode, maskImage, boxShadow } = getComputedStyle(element);
      const hasFilter = [filter, backdropFilter, maskImage].some((effect) => effect !== "none") || mixBlendMode !== "normal";
      const isPainted = boxShadow.includes("inset") || hasPaintedPart(element) || Element.prototype.getAnimations.call(element).length > 0;
      return hasFilter || isPainted || hasEffects(kit.composedParent(element));
    });
  }

  /** Returns a fact about an element, computed once per run. */
  function remembered(key: string, element: Element, make: () => boolean): boolean {
    const known = kit.once(key, () => new WeakMap<Element, boolean>());
    const fact = known.get(element) ?? make();
    known.set(element, fact);
    return fact;
  }

  function hasPaintedPart(element: Element): boolean {
    return ["::before", "::after"].some((part) => {
      const { content, position, backgroundColor, backgroundImage } = getComputedStyle(element, part);
      const isPainted = backgroundImage !== "none" || !kit.isTransparent(backgroundColor);
      return content !== "none" && content !== "normal" && /^(absolute|fixed)$/.test(position) && isPainted;
    });
  }

  /** Background colour of a drawing: axe-core treats a drawing as a picture without such a colour. */
  function colorBehind(drawing: SVGElement): AxeColor | undefined {
    const { Color, elementHasImage, flattenColors, getOwnBackgroundColor } = axe.commons.color;
    const layers: AxeColor[] = [];
    const stack = axe.commons.dom.getElementStack(drawing);
    const isCovered = stack.slice(0, stack.indexOf(drawing)).some((each) => !kit.contains(drawing, each));
    if (isCovered || !stack.includes(drawing)) return undefined;
    for (const each of stack.slice(stack.indexOf(drawing) + 1)) {
      const style = getComputedStyle(each);
      if (elementHasImage(each, style) || style.opacity !== "1" || style.mixBlendMode !== "normal") return undefined;
      layers.push(getOwnBackgroundColor(style));
      if (layers.at(-1)?.alpha === 1) break;
    }
    // The colour of the body covers the whole page, also beyond its box.
    if (layers.at(-1)?.alpha !== 1 && !stack.includes(document.body)) layers.push(getOwnBackgroundColor(getComputedStyle(document.body)));
    return layers.reduceRight((below, layer) => flattenColors(layer, below), new Color(255, 255, 255));
  }
}
