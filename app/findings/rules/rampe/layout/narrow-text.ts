import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-narrow-text", barrier: "narrow", question: "narrow-text" } satisfies RuleEntry;
