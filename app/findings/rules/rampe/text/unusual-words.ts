import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-unusual-words", barrier: "hardText", question: "unusual-words" } satisfies RuleEntry;
