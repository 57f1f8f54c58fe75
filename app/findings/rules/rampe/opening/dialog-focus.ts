import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-dialog-focus", barrier: "focusOrder", question: "dialog-focus" } satisfies RuleEntry;
