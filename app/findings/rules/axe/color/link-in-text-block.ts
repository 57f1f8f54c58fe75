import type { RuleEntry } from "~/findings/rules/rule";

export default {
  id: "link-in-text-block",
  barrier: "linksByColor",
  question: "link-in-text-block",
} satisfies RuleEntry;
