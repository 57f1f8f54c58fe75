import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "region", barrier: "landmarks" } satisfies RuleEntry;
