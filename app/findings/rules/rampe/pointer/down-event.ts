import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-down-event", barrier: "downEvents", question: "down-event" } satisfies RuleEntry;
