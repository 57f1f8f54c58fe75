import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "definition-list", barrier: "lists" } satisfies RuleEntry;
