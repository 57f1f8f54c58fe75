import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-changing-text", barrier: "moving", question: "moving-content" } satisfies RuleEntry;
