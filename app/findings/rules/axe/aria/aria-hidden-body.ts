import { fixMarkup } from "~/findings/fixes/markup";
import { without } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "aria-hidden-body",
  barrier: "hiddenPage",
  fix: fixMarkup(without("aria-hidden")),
} satisfies RuleEntry;
