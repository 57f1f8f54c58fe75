import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-return", barrier: "focusOrder", question: "focus-return" } satisfies RuleEntry;
