import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-sideways-scrolling", barrier: "narrow" } satisfies RuleEntry;
