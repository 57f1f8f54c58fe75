import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-placeholder-label", barrier: "fieldTitles" } satisfies RuleEntry;
