import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-covered-enhanced", barrier: "visibleFocus", question: "focus-covered" } satisfies RuleEntry;
