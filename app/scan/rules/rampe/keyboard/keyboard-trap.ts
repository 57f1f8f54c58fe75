import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F10: the keyboard moves the focus in, and no usual key moves it out again. */
export const keyboardTrap: PageRule = {
  id: "rampe-keyboard-trap",
  since: "1.5.0",
  criteria: ["2.1.2"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "*",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const stop = kit.stop(element);
    if (!stop) return undefined;
    if (!stop.traps) return "passes";
    const circle = kit.all("*").filter((each) => kit.stop(each)?.traps);
    if (circle.some((each) => kit.role(each) === "button" && isInBox(each))) return { asks: "closable" };
    return isAdvised() ? { asks: "advised" } : { fails: "held" };

    /** Is it in a box over the page, which a button in it may close? */
    function isInBox(each: Element): boolean {
      for (let at: HTMLElement | null = kit.around(each, "*"); at; at = kit.around(at, "*")) {
        const { position, zIndex } = kit.style(at);
        if (position === "fixed" || (position === "absolute" && zIndex !== "auto")) return true;
      }
      return false;
    }

    /** Another key is allowed as the way out, if users are informed about it: anywhere by its name, or nearby in other words. */
    function isAdvised(): boolean {
      const names = /\b(esc(ape)?|f\d{1,2}|tastenkombination|tastenkürzel|(keyboard )?shortcuts?)\b|\b(ctrl|strg|control|alt|shift|umschalt(taste)?)\s*[+-]\s*\S/i;
      const words = /\b(taste[n]?|drücken|press|keys?)\b/i;
      const near = [kit.around(element, "form, section, article, fieldset, div, p"), ...kit.referenced(element, "aria-describedby")];
      return names.test(kit.visibleText(document.body)) || near.some((each) => each && words.test(kit.visibleText(each)));
    }
  },
};
