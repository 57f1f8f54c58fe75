import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-time-limit", barrier: "refresh", question: "time-limit" } satisfies RuleEntry;
