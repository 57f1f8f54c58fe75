import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-tab-order", barrier: "focusOrder", question: "tab-order" } satisfies RuleEntry;
