import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-reading-ease", barrier: "hardText", question: "reading-ease" } satisfies RuleEntry;
