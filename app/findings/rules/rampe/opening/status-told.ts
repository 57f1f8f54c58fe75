import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-status-told", barrier: "statusMessages", question: "status-told" } satisfies RuleEntry;
