import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ACT's rule b33eff: a style sheet turns the content back when the device is turned. */
export const orientationLock: PageRule = {
  id: "rampe-orientation-lock",
  since: "1.0.0",
  criteria: ["1.3.4"],
  actIds: ["b33eff"],
  level: "wcag21aa",
  category: "structure",
  impact: "serious",
  selector: "html, body, body *",
  judge(element, kit) {
    const turning = kit.once("rules that turn", () =>
      kit.styleRules().flatMap(({ selector, style, media }) => {
        const [, orientation] = /\(\s*orientation\s*:\s*(portrait|landscape)\s*\)/i.exec(media) ?? [];
        const degrees = degreesOf(style);
        const isAlways = media === "";
        return degrees !== undefined && (orientation || isAlways) ? [{ selector, orientation: orientation?.toLowerCase(), degrees }] : [];
      }),
    );
    const own = turning.filter(({ selector }) => kit.matches(element, selector));
    const locked = own.find(({ degrees, orientation }) => {
      if (orientation === undefined) return false;
      const opposite = own.findLast((each) => each.orientation !== orientation)?.degrees ?? 0;
      const turn = Math.abs(((degrees - opposite) % 180) + 180) % 180;
      return turn > 88 && turn < 92;
    });
    if (own.every(({ orientation }) => orientation === undefined) || kit.visibleText(element) === "") return undefined;
    const isPart = element !== document.documentElement && element !== document.body && !isMostOfPage();
    if (isPart) return undefined;
    return locked ? { fails: "turned", data: { orientation: locked.orientation ?? "", degrees: Math.round(locked.degrees) } } : "passes";

    function isMostOfPage(): boolean {
      const whole = kit.visibleText(document.body).length;
      return kit.visibleText(element).length > whole * 0.5;
    }

    function degreesOf(style: CSSStyleDeclaration): number | undefined {
      if (style.rotate && style.rotate !== "none") return angle(style.rotate.replace(/^z\s+/, ""));
      const { transform } = style;
      const [, rotation] = /rotate(?:z)?\(\s*([^)]+)\)/i.exec(transform) ?? [];
      if (rotation !== undefined) return angle(rotation);
      const [, around] = /rotate3d\(\s*0\s*,\s*0\s*,\s*-?[\d.]+\s*,\s*([^)]+)\)/i.exec(transform) ?? [];
      if (around !== undefined) return angle(around);
      const [, matrix] = /matrix(?:3d)?\(([^)]+)\)/i.exec(transform) ?? [];
      if (matrix === undefined) return undefined;
      const [a = 1, b = 0] = matrix.split(",").map(Number);
      return (Math.atan2(b, a) * 180) / Math.PI;
    }

    function angle(text: string): number | undefined {
      const [, number, unit = "deg"] = /^\s*(-?[\d.]+)(deg|grad|rad|turn)?/.exec(text) ?? [];
      if (number === undefined) return undefined;
      return Number(number) * ({ deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }[unit] ?? 1);
    }
  },
};
