import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "marquee", barrier: "moving" } satisfies RuleEntry;
