import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "meta-refresh-no-exceptions", barrier: "refresh" } satisfies RuleEntry;
