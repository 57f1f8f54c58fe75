import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-consistent-help", barrier: "consistency", question: "rampe-consistent-help" } satisfies RuleEntry;
