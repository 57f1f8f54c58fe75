import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "role-img-alt",
  barrier: "images",
  fix: fixMarkup(nameBy("aria-label", "image")),
} satisfies RuleEntry;
