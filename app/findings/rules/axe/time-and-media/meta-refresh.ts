import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "meta-refresh", barrier: "refresh" } satisfies RuleEntry;
