import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-moving-slides", barrier: "moving", question: "moving-content" } satisfies RuleEntry;
