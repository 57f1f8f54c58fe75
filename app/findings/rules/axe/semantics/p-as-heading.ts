import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "p-as-heading", barrier: "headings", question: "p-as-heading" } satisfies RuleEntry;
