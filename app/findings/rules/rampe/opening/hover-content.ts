import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-hover-content", barrier: "sensory", question: "hover-content" } satisfies RuleEntry;
