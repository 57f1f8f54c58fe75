import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-session-timeout", barrier: "refresh", question: "session-timeout" } satisfies RuleEntry;
