import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "label-content-name-mismatch",
  barrier: "spokenNames",
  question: "label-content-name-mismatch",
} satisfies RuleEntry;
