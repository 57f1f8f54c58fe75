import { fixMarkup } from "~/findings/fixes/markup";
import { captioned } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "video-caption",
  barrier: "captions",
  fix: fixMarkup(captioned),
  question: "video-caption",
  asksOnly: true,
} satisfies RuleEntry;
