import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "listitem", barrier: "lists" } satisfies RuleEntry;
