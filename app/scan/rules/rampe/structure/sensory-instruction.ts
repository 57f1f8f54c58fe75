import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F14 and F26: instructions that refer only to shape, place or colour. */
export const sensoryInstruction: PageRule = {
  id: "rampe-sensory-instruction",
  since: "1.0.0",
  criteria: ["1.3.3"],
  level: "wcag2a",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  selector: "p, li, dd, td, label, legend, span, div",
  judge(element, kit) {
    const own = [...element.childNodes].map((node) => (node instanceof Text ? node.data : kit.text(node).slice(0, 60))).join("");
    if (own.length < 12 || own.length > 600 || ![...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "")) return undefined;
    const thing = "button|icon|link|field|box|arrow|circle|square|triangle|menu|image|picture|text|item|area|bar|form|list";
    const ding = "knopf|button|schaltfläche|symbol|icon|link|feld|kästchen|pfeil|kreis|quadrat|dreieck|menü|bild|text|bereich|leiste|formular|liste|taste";
    const english = [
      `(click|press|select|choose|use|tap|push|see|activate)\\b[^.!?]{0,40}\\b(round|square|triangular|circular|red|green|blue|yellow|orange|grey|gray|purple|larger?|big|small) (${thing})s?\\b`,
      `(click|press|select|choose|use|tap|push|fill in|see)\\b[^.!?]{0,50}\\b(on|to|at) the (right|left|top|bottom)\\b`,
      `(${thing})s? (on|to|at) the (right|left|top|bottom)\\b`,
      `(required|mandatory|invalid|wrong|important)\\b[^.!?]{0,30}\\b(are|is|in|marked|shown)\\b[^.!?]{0,20}\\b(red|green|blue|bold|yellow|orange)\\b`,
      `(fields|items|entries|values|links|words) in (red|green|blue|yellow|orange|bold)\\b`,
    ];
    const german = [
      `(klicken|drücken|wählen|tippen|nutzen|verwenden|benutzen|betätigen)\\b[^.!?]{0,50}\\b(runden?|eckigen?|dreieckigen?|roten?|grünen?|blauen?|gelben?|orangen?|grauen?|großen?|kleinen?)[mnrs]? (${ding})`,
      `(klicken|drücken|wählen|tippen|nutzen|verwenden|füllen)\\b[^.!?]{0,60}\\b(rechts|links|oben rechts|oben links|unten rechts|unten links|am rechten rand|am linken rand)\\b`,
      `(${ding})(en|e|er|s)? (rechts|links|oben rechts|oben links|unten rechts|unten links|auf der rechten seite|auf der linken seite)\\b`,
      `(pflichtfelder|fehler|pflichtangaben|wichtige angaben)\\b[^.!?]{0,40}\\b(rot|grün|blau|gelb|fett|orange)\\b`,
      `(rot|grün|blau|gelb|fett|orange) (markiert|gekennzeichnet|hervorgehoben|umrandet|dargestellt|gedruckt)`,
    ];
    const found = [...english, ...german].map((pattern) => new RegExp(`(?<![\\p{L}])(?:${pattern})`, "iu").exec(own)).find(Boolean);
    if (!found || !kit.isVisible(element)) return undefined;
    return { asks: "instruction", data: { text: found[0].replace(/\s+/g, " ").slice(0, 80) } };
  },
};
