import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-viewport-text-size", barrier: "zoom" } satisfies RuleEntry;
