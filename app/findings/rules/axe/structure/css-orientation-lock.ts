import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "css-orientation-lock",
  barrier: "orientation",
  question: "css-orientation-lock",
} satisfies RuleEntry;
