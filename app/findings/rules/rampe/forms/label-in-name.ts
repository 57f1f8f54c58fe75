import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-label-in-name", barrier: "spokenNames", question: "label-in-name" } satisfies RuleEntry;
