import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-status-by-itself", barrier: "statusMessages", question: "status-by-itself" } satisfies RuleEntry;
