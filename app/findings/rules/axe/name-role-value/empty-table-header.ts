import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "empty-table-header", barrier: "tables" } satisfies RuleEntry;
