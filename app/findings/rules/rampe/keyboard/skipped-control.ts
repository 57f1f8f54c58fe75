import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-skipped-control", question: "skipped-control" } satisfies RuleEntry;
