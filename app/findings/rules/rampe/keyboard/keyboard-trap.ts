import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-keyboard-trap", barrier: "keyboard", question: "keyboard-trap" } satisfies RuleEntry;
