import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Success criterion 1.4.11 for controls that show only an icon of one colour. A person must decide whether it is a logo or a sample. */
export const iconContrast: PageRule = {
  id: "rampe-icon-contrast",
  since: "1.4.0",
  criteria: ["1.4.11"],
  level: "wcag21aa",
  category: "color",
  impact: "serious",
  selector: "a[href], button, summary, [role=button], [role=link]",
  judge(element, kit) {
    const limits = { ratio: 3, smallest: 8, largest: 64, shapes: 50 };
    const shapes = "path, circle, rect, ellipse, polygon, polyline, line";
    const icons = [...element.querySelectorAll("svg")].filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
    const [icon] = icons;
    if (!icon || icons.length > 1 || !kit.isVisible(element) || isInactive()) return undefined;
    if (kit.visibleText(element) !== "" || element.querySelector("img, picture, canvas, video, input")) return undefined;
    const box = icon.getBoundingClientRect();
    if (Math.min(box.width, box.height) < limits.smallest || Math.max(box.width, box.height) > limits.largest) return undefined;
    const paints = paintsOf(icon);
    const [paint] = paints ?? [];
    if (!paint || paints?.some(({ color, opacity }) => color !== paint.color || opacity !== paint.opacity)) return undefined;
    const ratio = kit.contrast(icon, paint.color, paint.opacity);
    // An icon in the colour of its background may be hidden on purpose.
    if (ratio === undefined || ratio < 1.05) return undefined;
    if (ratio >= limits.ratio) return "passes";
    return hasLinkWithText() ? undefined : { asks: "low", data: { ratio } };

    function isInactive(): boolean {
      const isDisabled = element.matches(":disabled, .disabled, [aria-disabled=true], [inert] *, .disabled > *");
      return isDisabled || kit.style(element).pointerEvents === "none" || kit.around(element, "[aria-disabled=true]") !== null;
    }

    /** Does another link to the same address have text? */
    function hasLinkWithText(): boolean {
      const address = element.getAttribute("href") ?? "";
      if (/^(#?$|javascript:)/.test(address)) return false;
      const links = kit.once("links in words", () => kit.all("a[href]").filter((each) => kit.visibleText(each) !== ""));
      return links.some((each) => (each as HTMLAnchorElement).href === (element as HTMLAnchorElement).href);
    }

    /** Colours of all drawn parts; undefined if they cannot be determined. */
    function paintsOf(picture: SVGSVGElement): { color: string; opacity: number }[] | undefined {
      if (kit.style(picture).backgroundImage !== "none" || !kit.isTransparent(kit.style(picture).backgroundColor)) return undefined;
      const drawn = [...picture.querySelectorAll(shapes)].filter((shape) => !shape.closest("defs, symbol, clipPath, marker") && shape.checkVisibility({ visibilityProperty: true }));
      const uses = [...picture.querySelectorAll("use")];
      const sources = uses.map(sourceOf);
      if (isTooComplex(picture) || sources.some((source) => !source?.matches(`symbol, g, ${shapes}`) || source.querySelector("use") || isTooComplex(source))) return undefined;
      const copied = uses.flatMap((use, index) => shapesOf(sources[index]).map((shape) => ({ shape, use })));
      const all = [...drawn.map((shape) => ({ shape, use: undefined })), ...copied];
      if (all.length > limits.shapes) return undefined;
      const found: { color: string; opacity: number }[] = [];
      for (const { shape, use } of all) {
        const style = kit.style(shape);
        const [fill, stroke] = [paintOf(shape, "fill", use), paintOf(shape, "stroke", use)];
        const opacity = opacityOf(use ?? shape) * (use ? Number(style.opacity) : 1);
        if (fill.startsWith("url") || stroke.startsWith("url")) return undefined;
        if (fill !== "none" && shape.localName !== "line") found.push({ color: fill, opacity: opacity * Number(style.fillOpacity) });
        if (stroke !== "none" && parseFloat(style.strokeWidth) > 0) found.push({ color: stroke, opacity: opacity * Number(style.strokeOpacity) });
      }
      return found.filter((each) => each.opacity > 0 && !kit.isTransparent(each.color));
    }

    function isTooComplex(part: Element): boolean {
      return part.querySelector("image, text, foreignObject, mask, filter, pattern, animate, [mask], [filter]") !== null;
    }

    /** Symbol or shape of this document that a `use` element draws. */
    function sourceOf(use: SVGUseElement): Element | null {
      const id = /^#(.+)/.exec(use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "")?.[1];
      return id === undefined ? null : (use.getRootNode() as Document | ShadowRoot).getElementById(id);
    }

    function shapesOf(source: Element | null | undefined): Element[] {
      if (!source) return [];
      return source.matches(shapes) ? [source] : [...source.querySelectorAll(shapes)];
    }

    /** Paint of a shape; a copied shape inherits from its new place what it does not set itself. */
    function paintOf(shape: Element, name: "fill" | "stroke", use: Element | undefined): string {
      const style = kit.style(shape);
      if (!use) return style[name];
      for (let at: Element | null = shape; at && !at.matches("symbol, defs, svg"); at = at.parentElement) {
        const set = at.getAttribute(name);
        if (set !== null) return /^currentcolor$/i.test(set) ? kit.style(use).color : style[name];
        if (at.parentElement && kit.style(at)[name] !== kit.style(at.parentElement)[name]) return style[name];
      }
      return kit.style(use)[name];
    }

    /** Opacity of a shape together with its ancestors. */
    function opacityOf(shape: Element): number {
      let opacity = 1;
      for (let each: Element | null = shape; each; each = kit.parent(each)) opacity *= Number(kit.style(each).opacity);
      return opacity;
    }
  },
};
