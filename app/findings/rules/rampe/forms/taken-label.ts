import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-taken-label", barrier: "fieldLabels" } satisfies RuleEntry;
