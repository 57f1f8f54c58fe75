import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-no-duplicate-main", barrier: "landmarks" } satisfies RuleEntry;
