import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "table-duplicate-name", barrier: "twice" } satisfies RuleEntry;
