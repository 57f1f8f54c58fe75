import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-new-window", barrier: "newWindow", question: "new-window" } satisfies RuleEntry;
