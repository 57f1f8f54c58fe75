import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-hidden-focus", barrier: "hiddenFocus", question: "aria-hidden-focus" } satisfies RuleEntry;
