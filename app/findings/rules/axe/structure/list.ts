import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "list", barrier: "lists" } satisfies RuleEntry;
