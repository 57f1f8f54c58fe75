import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "nested-interactive", barrier: "nestedControls" } satisfies RuleEntry;
