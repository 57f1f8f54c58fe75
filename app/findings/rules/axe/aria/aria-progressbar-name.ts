import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "aria-progressbar-name",
  barrier: "names",
  fix: fixMarkup(nameBy("aria-label", "name")),
} satisfies RuleEntry;
