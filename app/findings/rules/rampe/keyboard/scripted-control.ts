import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-scripted-control", barrier: "keyboard", question: "scripted-control" } satisfies RuleEntry;
