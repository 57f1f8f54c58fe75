import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-orientation-lock", barrier: "orientation" } satisfies RuleEntry;
