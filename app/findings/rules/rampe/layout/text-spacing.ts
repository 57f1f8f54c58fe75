import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-text-spacing", barrier: "spacing", question: "text-spacing" } satisfies RuleEntry;
