import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "aria-command-name",
  barrier: "buttons",
  fix: fixMarkup(nameBy("aria-label", "button")),
} satisfies RuleEntry;
