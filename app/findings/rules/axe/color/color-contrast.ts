import { fixContrast } from "~/findings/fixes/contrast";
import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "color-contrast",
  barrier: "contrast",
  fix: fixContrast,
  question: "color-contrast",
} satisfies RuleEntry;
