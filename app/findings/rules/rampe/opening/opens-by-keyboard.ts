import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-opens-by-keyboard", barrier: "keyboard", question: "opens-by-keyboard" } satisfies RuleEntry;
