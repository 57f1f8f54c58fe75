import type { StyleRule } from "~/scan/rules/rampe/style-rules";
import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG failure F78: a style sheet removes the focus outline, and nothing else shows the focus. Pictures of the page with and without
 * the focus decide, if there are any; else the styles do.
 */
export const focusVisible: PageRule = {
  id: "rampe-focus-visible",
  since: "1.4.0",
  criteria: ["2.4.7"],
  level: "wcag2aa",
  category: "keyboard",
  impact: "serious",
  selector: "a[href], area[href], button, summary, [tabindex], input",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    // Text fields show a cursor, lists their choice; content of frames is judged in the frames.
    const others = "textarea, select, iframe, input:not([type=checkbox], [type=radio], [type=submit], [type=button], [type=reset], [type=image])";
    if (element.getRootNode() !== document || element.matches(others) || element.isContentEditable) return undefined;
    if (!kit.isVisible(element) || !kit.isInTabOrder(element)) return undefined;
    const { isOutlined = false, looksDifferent, keepsOutline, change, hiding } = kit.stop(element) ?? {};
    // `rampe-unseen-focus` judges hidden elements.
    if (hiding) return undefined;
    if (looksDifferent === false) return { fails: "unchanged" };
    // The only difference may be one more pixel between text and outline.
    if (keepsOutline) return (change?.clearArea ?? 0) > twoOutlines() ? "passes" : { asks: "kept" };
    if (isOutlined || looksDifferent) return "passes";
    if (!kit.hasAllStyles()) return undefined;

    const rules = kit.once("rules of focus", () => kit.styleRules().flatMap(focusRules));
    const own = rules.filter(({ outline, isOwn, subject }) => outline && isOwn && kit.matches(element, subject));
    const removing = own.find(({ outline }) => outline === "none");
    if (!removing || own.some(({ outline }) => outline === "drawn")) return "passes";
    const near = nearby();
    if (rules.some((rule) => rule.isFocus && near.some((each) => kit.matches(each, rule.subject) && isShown(each, rule)))) return "passes";
    const longest = 200;
    const data = { rule: removing.selector.slice(0, longest) };
    return reacts() ? { asks: "scripted", data } : { fails: "removed", data };

    /** Area of two outlines of 1 px, in square CSS pixels. */
    function twoOutlines(): number {
      const { width, height } = element.getBoundingClientRect();
      return 4 * (width + height);
    }

    interface FocusRule {
      selector: string;
      /** The selector without the focus, and without a part such as `::before`. */
      subject: string;
      isFocus: boolean;
      /** The rule is about the subject's own outline, and applies not only while another element has the focus. */
      isOwn: boolean;
      outline: "none" | "drawn" | null;
      style: CSSStyleDeclaration;
      /** The rule styles a part such as `::before`. */
      isOfPart: boolean;
    }

    /** Focus rules, one for each selector in the list of a rule. */
    function focusRules({ selector: list, style, media }: StyleRule): FocusRule[] {
      const outline = outlineOf(style);
      if ((!outline && !list.includes(":focus")) || !kit.applies(media)) return [];
      // Rules only for mouse focus do not remove the outline of keyboard focus.
      return selectorsOf(list).filter((selector) => !/:not\([^)]*:focus/.test(selector)).map((selector) => {
        const whole = selector.replace(/::?(before|after|marker|-webkit-[\w-]+|-moz-[\w-]+)/g, "");
        const subject = whole.replace(/(^|[\s>+~(])(:focus(-visible|-within)?)+/g, "$1*").replace(/:focus(-visible|-within)?/g, "").trim();
        const isOfPart = whole !== selector;
        const isOwn = !isOfPart && !/:focus(-visible|-within)?\S*[\s>+~]|:focus-within/.test(whole);
        return { selector, subject, isFocus: selector.includes(":focus"), isOwn, outline, style, isOfPart };
      });
    }

    /** Selectors of a list; commas in brackets do not separate them. */
    function selectorsOf(list: string): string[] {
      let depth = 0;
      const parts = [""];
      for (const sign of list) {
        if (/[([]/.test(sign)) depth += 1;
        if (/[)\]]/.test(sign)) depth -= 1;
        if (sign === "," && depth === 0) parts.push("");
        else parts[parts.length - 1] += sign;
      }
      return parts.map((part) => part.trim());
    }

    function outlineOf(style: CSSStyleDeclaration): FocusRule["outline"] {
      const [line, width, color] = ["outline-style", "outline-width", "outline-color"].map((property) => style.getPropertyValue(property));
      if (line === "none" || /^0(px)?$/.test(width ?? "") || kit.isTransparent(color ?? "")) return "none";
      return line || width || style.getPropertyValue("outline") ? "drawn" : null;
    }

    /** Does the focus rule give an element an outline, or another look than it has now? */
    function isShown(target: Element, { outline, style, isOfPart }: FocusRule): boolean {
      const looks = [...style].filter((property) => !/^(outline|cursor|transition|z-index|-webkit-tap)/.test(property));
      return outline === "drawn" || (isOfPart ? looks.length > 0 : looks.some((property) => isChanged(target, property, style.getPropertyValue(property))));
    }

    function isChanged(target: Element, property: string, value: string): boolean {
      const now = kit.style(target).getPropertyValue(property);
      if (value === "inherit") return now !== kit.style(kit.parent(target) ?? target).getPropertyValue(property);
      if (value === "transparent") return now !== "rgba(0, 0, 0, 0)";
      if (value === "initial") return !/^(none|auto|normal|repeat|scroll|0% 0%|padding-box|border-box|rgba\(0, 0, 0, 0\)|0px)$/.test(now);
      return now !== value;
    }

    /** Elements whose look may show the focus: content of the element, its ancestors and the elements after it. */
    function nearby(): Element[] {
      const most = 200;
      const inside = (each: Element) => [each, ...kit.inside(each, "*").slice(0, most)];
      const around: Element[] = inside(element);
      for (let parent = element.parentElement; parent; parent = kit.parent(parent)) around.push(parent);
      const known = around.length;
      for (let next = kit.next(element); next && around.length < known + most; next = kit.next(next)) around.push(...inside(next));
      return around;
    }

    function reacts(): boolean {
      for (let node: Node | null = element; node; node = kit.parentNode(node)) {
        if (kit.listeners(node).some((type) => type.startsWith("focus"))) return true;
      }
      return element.closest("[onfocus], [onfocusin]") !== null;
    }
  },
};
