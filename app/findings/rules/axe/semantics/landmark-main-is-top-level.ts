import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-main-is-top-level", barrier: "landmarks" } satisfies RuleEntry;
