import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-pointer-gesture", barrier: "dragging", question: "pointer-gesture" } satisfies RuleEntry;
