import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-drawn-contrast", barrier: "contrast" } satisfies RuleEntry;
