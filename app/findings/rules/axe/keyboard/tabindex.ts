import { fixMarkup } from "~/findings/fixes/markup";
import { replacing } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "tabindex",
  barrier: "focusOrder",
  fix: fixMarkup(replacing("tabindex", "0")),
} satisfies RuleEntry;
