import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F100: a request to turn the device, in place of the content. */
export const orientationMessage: PageRule = {
  id: "rampe-orientation-message",
  since: "1.0.0",
  criteria: ["1.3.4"],
  level: "wcag21aa",
  category: "structure",
  impact: "serious",
  selector: "body *",
  judge(element, kit) {
    const request = /\b(rotate|turn|tilt) (your|the) (device|phone|screen|tablet|mobile)|\b(best|only) (viewed )?in (landscape|portrait)( mode)?\b|(drehen sie|dreh|bitte) (ihr|dein|das) (gerät|handy|smartphone|tablet|telefon)( drehen)?|nur im (hoch|quer)format/i;
    const own = kit.nodes(element).map((node) => (node instanceof Text ? node.data : "")).join("");
    if (own.length > 300 || !request.test(own) || kit.matches(element, "script, style, template")) return undefined;
    const byOrientation = kit.styleRules().filter(({ media, style }) => /orientation/i.test(media) && (style.display !== "" || style.visibility !== ""));
    const shows = [element, ...kit.all("body *").filter((each) => kit.contains(each, element))].some((each) => byOrientation.some(({ selector, style }) => style.display !== "none" && kit.matches(each, selector)));
    // Other content than the message.
    const hidden = byOrientation.filter(({ style }) => style.display === "none" || style.visibility === "hidden");
    const hides = kit.all("body, body *").some((each) => !kit.contains(element, each) && !kit.contains(each, element) && hidden.some(({ selector }) => kit.matches(each, selector)));
    if (shows && hides) return { fails: "message" };
    return kit.isVisible(element) ? { asks: "message" } : undefined;
  },
};
