import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-no-duplicate-banner", barrier: "landmarks" } satisfies RuleEntry;
