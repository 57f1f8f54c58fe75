import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-spaced-letters", barrier: "spacing", question: "spaced-letters" } satisfies RuleEntry;
