import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-content", barrier: "sensory", question: "focus-content" } satisfies RuleEntry;
