import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "focus-order-semantics", barrier: "focusOrder" } satisfies RuleEntry;
