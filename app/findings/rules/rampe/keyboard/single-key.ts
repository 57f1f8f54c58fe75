import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-single-key", barrier: "shortcuts", question: "single-key" } satisfies RuleEntry;
