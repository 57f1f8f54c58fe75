import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-unseen-focus", barrier: "visibleFocus", question: "unseen-focus" } satisfies RuleEntry;
