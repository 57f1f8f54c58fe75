import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-change-of-context", question: "choice-leaves" } satisfies RuleEntry;
