import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "blink", barrier: "moving" } satisfies RuleEntry;
