import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "input-image-alt",
  barrier: "imageControls",
  fix: fixMarkup(nameBy("alt", "button")),
} satisfies RuleEntry;
