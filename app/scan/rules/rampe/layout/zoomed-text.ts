import type { PageRule } from "~/scan/rules/rampe/page-rule";
import { textSpacing } from "./text-spacing";

/** WCAG failure F69: in a window of 1280 px at 200 %, no text is cut off, overlaps other text or is covered. */
export const zoomedText: PageRule = {
  ...textSpacing,
  id: "rampe-zoomed-text",
  since: "1.6.0",
  criteria: ["1.4.4"],
  level: "wcag2aa",
  condition: "zoom-200",
};
