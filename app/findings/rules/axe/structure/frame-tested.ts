import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "frame-tested", barrier: "unchecked", question: "frame-tested" } satisfies RuleEntry;
