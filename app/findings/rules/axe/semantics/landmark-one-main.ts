import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-one-main", barrier: "landmarks" } satisfies RuleEntry;
