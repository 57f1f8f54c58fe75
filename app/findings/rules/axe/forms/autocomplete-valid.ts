import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "autocomplete-valid",
  barrier: "autocomplete",
  question: "autocomplete-valid",
} satisfies RuleEntry;
