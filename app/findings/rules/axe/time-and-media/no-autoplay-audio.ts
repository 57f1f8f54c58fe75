import { fixMarkup } from "~/findings/fixes/markup";
import { without } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "no-autoplay-audio",
  barrier: "autoplay",
  fix: fixMarkup(without("autoplay")),
  question: "no-autoplay-audio",
} satisfies RuleEntry;
