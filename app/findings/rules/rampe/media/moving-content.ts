import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-moving-content", barrier: "moving", question: "moving-content" } satisfies RuleEntry;
