import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "identical-links-same-purpose",
  barrier: "identicalLinks",
  question: "identical-links-same-purpose",
  asksOnly: true,
} satisfies RuleEntry;
