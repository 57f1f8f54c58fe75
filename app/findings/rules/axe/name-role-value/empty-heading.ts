import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "empty-heading", barrier: "headings" } satisfies RuleEntry;
