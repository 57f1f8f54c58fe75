import { fixMarkup } from "~/findings/fixes/markup";
import { changeableSpacing } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "avoid-inline-spacing",
  barrier: "spacing",
  fix: fixMarkup(changeableSpacing),
} satisfies RuleEntry;
