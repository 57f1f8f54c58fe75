import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-zoomed-text", barrier: "narrow", question: "zoomed-text" } satisfies RuleEntry;
