import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-visible", barrier: "visibleFocus", question: "focus-visible" } satisfies RuleEntry;
