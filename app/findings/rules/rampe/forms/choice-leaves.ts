import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-choice-leaves", question: "choice-leaves" } satisfies RuleEntry;
