import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-table-headers", question: "table-headers" } satisfies RuleEntry;
