import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-placeholder-label", barrier: "fieldTitles", question: "placeholder-label" } satisfies RuleEntry;
