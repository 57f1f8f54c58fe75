import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-time-limit-enhanced", barrier: "refresh", question: "time-limit-enhanced" } satisfies RuleEntry;
