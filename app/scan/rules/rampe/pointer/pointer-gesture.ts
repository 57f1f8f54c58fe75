import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.5.1: functions that follow a pressed pointer, such as swiped slides, can be used without such a path. Scripts listen to the
 * beginning, the path and the end of it on one element; a person has to try its effect.
 */
export const pointerGesture: PageRule = {
  id: "rampe-pointer-gesture",
  since: "1.17.0",
  criteria: ["2.5.1"],
  level: "wcag21a",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "body *",
  isAdvanced: true,
  judge(element, kit) {
    const move = kit.furtherListeners(element).filter((type) => type.endsWith("move"));
    if (move.length === 0 || !hears(/^(pointerdown|mousedown|touchstart)$/) || !hears(/^(pointerup|mouseup|touchend)$/)) return undefined;
    const least = 40;
    const { width, height } = kit.box(element);
    // Scripts recognise taps on controls in this way. Fields, sliders and players have keys and clicks of their own.
    const others = "a, button, input, select, textarea, summary, label, video, audio, iframe, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=slider], [role=scrollbar], [role=separator], [role=dialog], dialog";
    if (!kit.isVisible(element) || Math.min(width, height) < least || kit.matches(element, others) || kit.first(element, "video, audio")) return undefined;
    // An element around the whole page may listen to the pointer for any reason.
    if (kit.first(element, "main, [role=main], h1, footer") || (width > innerWidth * 0.9 && height > innerHeight * 0.9)) return undefined;
    if (isScrolled()) return "passes";
    const words = controlsBeside().flatMap((control) => [kit.name(control), kit.text(control), kit.attribute(control, "class") ?? "", kit.attribute(control, "title") ?? ""]).map((each) => each.replace(/[-_]/g, " ").trim());
    if (words.some((each) => /\b(next|prev(ious)?|forward|back|left|right|up|down|slide|page|weiter|zurück|vor|nächste\S*|vorherige\S*|vorige\S*|links|rechts|hoch|runter|seite|bild)\b|^\W*[‹›«»<>←→❮❯\d]+\W*$/i.test(each))) return "passes";
    // The control has a similar function; whether it is the same is unknown.
    if (words.some((each) => /\bzoom|vergrößer|verkleiner|^[+−]$/i.test(each))) return undefined;
    const asked = kit.once("elements that follow the pointer", () => new Set<Element>());
    const most = 3;
    if (asked.size >= most || [...asked].some((other) => kit.contains(other, element) || kit.parent(other) === kit.parent(element))) return undefined;
    asked.add(element);
    return { asks: kit.localName(element) === "canvas" ? "canvas" : "follows", data: { events: [...new Set(move)].join(", ") } };

    function hears(types: RegExp): boolean {
      return kit.listeners(element).some((type) => types.test(type));
    }

    /** Can the browser scroll the element, its content or its parent? Browsers offer many ways to scroll. */
    function isScrolled(): boolean {
      return [element, ...kit.inside(element, "*").slice(0, 20), kit.parent(element)].some((each) => {
        if (!each || each === document.body) return false;
        const { overflowX, overflowY } = kit.style(each);
        const { width, height, seenWidth, seenHeight } = kit.scroll(each);
        return (/auto|scroll/.test(overflowX) && width > seenWidth) || (/auto|scroll/.test(overflowY) && height > seenHeight);
      });
    }

    /** Controls in the element, and in the boxes around it. */
    function controlsBeside(): Element[] {
      const controls = "button, [role=button], [role=tab], a[href^='#'], a:not([href]), input[type=range], input[type=number], input[type=radio]";
      let around = kit.parent(element);
      for (let level = 0; around && level < 2; level += 1) {
        const parent = kit.parent(around);
        if (!parent || kit.matches(parent, "body, main, section, article, [role=main]")) break;
        around = parent;
      }
      return around && around !== document.body ? kit.inside(around, controls) : [...kit.inside(element, controls), ...[kit.previous(element), kit.next(element)].flatMap((each) => (each ? [each, ...kit.inside(each, controls)] : []))].filter((each) => kit.matches(each, controls));
    }
  },
};
