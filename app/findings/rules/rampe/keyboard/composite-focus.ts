import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-composite-focus", question: "composite-focus" } satisfies RuleEntry;
