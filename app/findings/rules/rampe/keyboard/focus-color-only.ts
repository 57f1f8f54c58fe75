import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-color-only", barrier: "visibleFocus", question: "focus-color-only" } satisfies RuleEntry;
