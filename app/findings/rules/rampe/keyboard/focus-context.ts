import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-context", question: "focus-context" } satisfies RuleEntry;
