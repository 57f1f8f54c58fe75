import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-blinking-text", barrier: "moving" } satisfies RuleEntry;
