import type { PageRule } from "~/scan/rules/rampe/page-rule";
import { textSpacing } from "./text-spacing";

/** WCAG 1.4.10: on a screen of 320 px (1280 px at 400 %), no text is cut off, overlaps other text or is covered. */
export const narrowText: PageRule = {
  ...textSpacing,
  id: "rampe-narrow-text",
  since: "1.18.0",
  criteria: ["1.4.10"],
  condition: "phone",
};
