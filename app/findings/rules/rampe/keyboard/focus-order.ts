import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-order", barrier: "focusOrder", question: "focus-order" } satisfies RuleEntry;
