import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-dead-link", barrier: "deadLinks", question: "rampe-dead-link" } satisfies RuleEntry;
