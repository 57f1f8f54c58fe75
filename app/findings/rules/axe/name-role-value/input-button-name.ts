import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "input-button-name",
  barrier: "buttons",
  fix: fixMarkup(nameBy("value", "button")),
} satisfies RuleEntry;
