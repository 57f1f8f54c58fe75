import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-no-duplicate-contentinfo", barrier: "landmarks" } satisfies RuleEntry;
