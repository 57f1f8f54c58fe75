import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-sensory-instruction", question: "sensory-instruction" } satisfies RuleEntry;
