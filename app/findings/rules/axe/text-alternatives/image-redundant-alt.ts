import { fixMarkup } from "~/findings/fixes/markup";
import { replacing } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "image-redundant-alt",
  barrier: "twice",
  fix: fixMarkup(replacing("alt", "")),
} satisfies RuleEntry;
