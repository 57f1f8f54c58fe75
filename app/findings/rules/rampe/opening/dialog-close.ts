import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-dialog-close", barrier: "keyboard", question: "dialog-close" } satisfies RuleEntry;
