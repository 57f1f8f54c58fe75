import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F101: a control acts when the pointer is pressed down, so that users cannot cancel the action. */
export const downEvent: PageRule = {
  id: "rampe-down-event",
  since: "1.13.0",
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
    // Dragging needs the beginning of a press. For links, forms and controls that open something, the browser waits for the end of the press.
    const others = "a[href]:not([href='#'], [href^='javascript:']), summary, [draggable=true], [aria-haspopup], [popovertarget], [commandfor], form button:not([type=button]), button[form]:not([type=button])";
    // `mouse-only` judges attributes.
    if (!kit.matches(element, controls) || kit.matches(element, others) || down.some((type) => kit.attribute(element, `on${type}`) !== null)) return undefined;
    if (hears(element)) return "passes";
    // An element around it may listen to the end of the press, for it or for something else.
    for (let node = kit.parentNode(element); node; node = kit.parentNode(node)) if (hears(node)) return undefined;
    return { asks: "down", data: { events: [...new Set(down)].join(", ") } };

    /** Does the node listen to the end of a press, or to a click? */
    function hears(node: Node): boolean {
      const events = /^(click|dblclick|mouseup|pointerup|touchend)$/;
      const attributes = node instanceof Element ? kit.attributeNames(node).map((name) => name.replace(/^on/, "")) : [];
      return [...kit.listeners(node), ...attributes].some((type) => events.test(type));
    }
  },
};
