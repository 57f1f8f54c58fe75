import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "bypass", barrier: "skipping", question: "bypass" } satisfies RuleEntry;
