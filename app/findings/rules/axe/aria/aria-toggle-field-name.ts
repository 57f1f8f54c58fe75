import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "aria-toggle-field-name",
  barrier: "fields",
  fix: fixMarkup(nameBy("aria-label", "field")),
} satisfies RuleEntry;
