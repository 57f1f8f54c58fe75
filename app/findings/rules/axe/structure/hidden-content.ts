import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "hidden-content", barrier: "unchecked", question: "hidden-content" } satisfies RuleEntry;
