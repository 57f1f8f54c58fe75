import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-required-unmarked", question: "required-unmarked" } satisfies RuleEntry;
