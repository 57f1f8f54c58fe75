import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "dlitem", barrier: "lists" } satisfies RuleEntry;
