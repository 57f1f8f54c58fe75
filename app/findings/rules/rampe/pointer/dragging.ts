import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-dragging", barrier: "dragging", question: "dragging" } satisfies RuleEntry;
