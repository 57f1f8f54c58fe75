import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-placeholder-label", barrier: "fieldLabels", question: "placeholder-label" } satisfies RuleEntry;
