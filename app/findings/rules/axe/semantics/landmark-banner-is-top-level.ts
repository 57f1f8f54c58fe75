import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-banner-is-top-level", barrier: "landmarks" } satisfies RuleEntry;
