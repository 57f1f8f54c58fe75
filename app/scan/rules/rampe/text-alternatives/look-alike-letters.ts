import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F71: letters of another script that only look like the intended ones. */
export const lookAlikeLetters: PageRule = {
  id: "rampe-look-alike-letters",
  since: "1.0.0",
  criteria: ["1.1.1"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "body",
  judge(element, kit) {
    const words = kit.visibleText(element).match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? [];
    const mixed = words.find((word) => isMixed(word));
    return mixed === undefined ? "passes" : { fails: "letters", data: { word: mixed.slice(0, 50) } };

    /** Are letters of two scripts mixed? Greek letters are also symbols in Latin words ("Δt", "µm", "NFκB"), so only look-alikes count. */
    function isMixed(word: string): boolean {
      // The text may be several words without a blank between them, such as links with margins, or an abbreviation with an ending.
      const parts = word.match(/\p{Script=Latin}+|\p{Script=Cyrillic}+|\p{Script=Greek}+/gu) ?? [];
      if (parts.every((part) => part.length > 1)) return false;
      const latin = word.match(/\p{Script=Latin}/gu)?.length ?? 0;
      const cyrillic = word.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
      const greek = word.match(/\p{Script=Greek}/gu)?.length ?? 0;
      const alike = word.match(/[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]/gu)?.length ?? 0;
      return (cyrillic > 0 && latin + greek > 0) || (latin > 1 && alike > 0);
    }
  },
};
