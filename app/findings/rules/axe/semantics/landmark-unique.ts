import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-unique", barrier: "landmarks" } satisfies RuleEntry;
