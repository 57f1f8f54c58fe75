import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-unspoken-description", barrier: "captions" } satisfies RuleEntry;
