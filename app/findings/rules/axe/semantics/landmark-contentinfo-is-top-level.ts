import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-contentinfo-is-top-level", barrier: "landmarks" } satisfies RuleEntry;
