import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-target-size-enhanced", barrier: "targets" } satisfies RuleEntry;
