import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.5.5: targets for pointers measure 44 by 44 CSS pixels, unless they are in running text, have the browser's default look, or
 * another link of the same address is large enough. Targets that may be larger than their boxes are not judged.
 */
export const targetSizeEnhanced: PageRule = {
  id: "rampe-target-size-enhanced",
  since: "1.6.0",
  criteria: ["2.5.5"],
  level: "wcag21aaa",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=checkbox], [role=link], [role=menuitem], [role=radio], [role=switch], [role=tab]",
  includesHidden: true,
  judge(element, kit) {
    const least = 44;
    // Smaller boxes are hidden, and longer links are text themselves.
    const [leastHit, mostWords] = [6, 5];
    const targets = "a[href], button, summary, [role=button], [role=link]";
    if (!kit.isVisible(element) || element.matches(":disabled, [aria-disabled=true]") || kit.style(element).pointerEvents === "none") return undefined;
    if (element.getRootNode() !== document || kit.around(element, targets) || isBrowsersOwn()) return undefined;
    const { width, height } = sizeOf(element);
    if (width < leastHit || height < leastHit) return undefined;
    if (width >= least && height >= least) return "passes";
    if (isInText() || kit.plain(kit.visibleText(element)).split(" ").length > mostWords || mayBeLarger()) return undefined;
    if (element.hasAttribute("href") && hasLargeTwin()) return "passes";
    return { fails: "small", data: { width: Math.floor(width), height: Math.floor(height) } };

    /** Size of its box together with its drawn content, and with its labels, which may be clicked as well. */
    function sizeOf(target: Element): { width: number; height: number } {
      const most = 50;
      const labels = [...((target as HTMLInputElement).labels ?? [])];
      const parts = [target, ...labels].flatMap((each) => [each, ...[...each.querySelectorAll("*")].slice(0, most)]);
      const boxes = parts.map((each) => each.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height > 0);
      const across = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
      const down = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
      // Boxes end between pixels.
      return { width: across + 0.5, height: down + 0.5 };
    }

    /** Has the control its default size? Border and font size are those of the browser. */
    function isBrowsersOwn(): boolean {
      const { appearance, borderTopStyle, borderTopWidth, fontSize, width, height } = kit.style(element);
      if (element.matches("input[type=checkbox], input[type=radio]")) return appearance !== "none" && width === "13px" && height === "13px" && (element as HTMLInputElement).labels?.length === 0;
      if (element.matches("input[type=file], input[type=color], input[type=range]")) return appearance !== "none";
      const hasOwnBorder = element.matches("select, textarea") ? borderTopStyle === "solid" && borderTopWidth === "1px" : /^(inset|outset)$/.test(borderTopStyle);
      return element.matches("button, input, select, textarea") && appearance !== "none" && hasOwnBorder && fontSize === "13.3333px";
    }

    /** Is it in a block with other text than that of links and controls? */
    function isInText(): boolean {
      const known = kit.once("blocks with text", () => new Map<Element, boolean>());
      let block = element.parentElement;
      while (block && kit.parent(block) && /^(inline|contents|ruby)/.test(kit.style(block).display)) block = kit.parent(block);
      if (!block || !/^inline/.test(kit.style(element).display)) return false;
      if (!known.has(block)) known.set(block, hasOwnText(block));
      return known.get(block) ?? false;
    }

    function hasOwnText(node: Element): boolean {
      return kit.nodes(node).some((child) => {
        if (child instanceof Text) return /[\p{L}\p{N}]/u.test(child.data);
        return child instanceof HTMLElement && /^(inline|contents)/.test(kit.style(child).display) && !kit.matches(child, `${targets}, label, select, textarea, script, style`) && hasOwnText(child);
      });
    }

    /** May the target be larger than its boxes, because of pseudo-elements, scripts or images that did not load? */
    function mayBeLarger(): boolean {
      if ([...element.querySelectorAll("img")].some(({ complete, naturalWidth }) => !complete || naturalWidth === 0)) return true;
      const isLaidOver = ["::before", "::after"].some((part) => {
        const { content, position } = getComputedStyle(element, part);
        return content !== "none" && content !== "normal" && /^(absolute|fixed)$/.test(position);
      });
      if (isLaidOver) return true;
      for (let around = element.parentElement; around && around !== document.body; around = kit.parent(around)) {
        if (kit.style(around).cursor === "pointer" || kit.matches(around, "[onclick], label")) return true;
      }
      return false;
    }

    function hasLargeTwin(): boolean {
      const large = kit.once("large targets", () => {
        const links = kit.all("a[href]").filter((each) => kit.isVisible(each)).filter((each) => {
          const { width, height } = sizeOf(each);
          return width >= least && height >= least;
        });
        return new Set(links.map((each) => (each as HTMLAnchorElement).href));
      });
      return large.has((element as HTMLAnchorElement).href);
    }
  },
};
