import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-appearance", barrier: "visibleFocus", question: "focus-appearance" } satisfies RuleEntry;
