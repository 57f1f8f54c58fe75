import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-lost-control", barrier: "narrow" } satisfies RuleEntry;
