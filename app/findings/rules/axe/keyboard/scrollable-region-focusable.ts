import { fixMarkup } from "~/findings/fixes/markup";
import { withValue } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "scrollable-region-focusable",
  barrier: "scrolling",
  fix: fixMarkup(withValue("tabindex", "0")),
  question: "scrollable-region-focusable",
} satisfies RuleEntry;
