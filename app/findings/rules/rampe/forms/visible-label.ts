import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-visible-label", barrier: "fieldLabels" } satisfies RuleEntry;
