import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "target-size", barrier: "targets", question: "target-size" } satisfies RuleEntry;
