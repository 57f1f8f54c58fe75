import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-consistent-identification", barrier: "consistency", question: "rampe-consistent-identification" } satisfies RuleEntry;
