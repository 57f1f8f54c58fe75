import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F101: a control acts when the pointer is pressed down, so that it is too late to think better of it. */
export const downEvent: PageRule = {
  id: "rampe-down-event",
  criteria: ["2.5.2"],
  level: "wcag21a",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "body *",
  isAdvanced: true,
  judge(element, kit) {
    const down = kit.listeners(element).filter((type) => /^(mousedown|pointerdown|touchstart)$/.test(type));
    if (down.length === 0 || !kit.isVisible(element) || !kit.hasHitArea(element)) return undefined;
    const controls = "button, summary, a, input[type=button], [role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=menuitem]";
    // What is drawn on, dragged or typed into needs the beginning of a press. Links and forms go on with its end.
    const others = "a[href]:not([href^='#'], [href^='javascript:']), [draggable=true], [aria-haspopup], form button:not([type=button])";
    if (!element.matches(controls) || element.matches(others)) return undefined;
    return hears(/^(click|dblclick|mouseup|pointerup|touchend)$/) ? "passes" : { asks: "down", data: { events: [...new Set(down)].join(", ") } };

    /** Also by an attribute, or for it in a part of the page around it. */
    function hears(events: RegExp): boolean {
      for (let node: Node | null = element; node; node = node.parentNode) {
        if (kit.listeners(node).some((type) => events.test(type))) return true;
        if (node instanceof Element && [...node.attributes].some(({ name }) => name.startsWith("on") && events.test(name.slice(2)))) return true;
      }
      return false;
    }
  },
};
