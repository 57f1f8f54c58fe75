import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "accesskeys", barrier: "shortcuts" } satisfies RuleEntry;
