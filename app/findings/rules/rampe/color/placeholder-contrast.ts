import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-placeholder-contrast", barrier: "contrast" } satisfies RuleEntry;
