import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-reduced-motion", barrier: "moving", question: "reduced-motion" } satisfies RuleEntry;
