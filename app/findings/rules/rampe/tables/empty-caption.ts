import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-empty-caption", question: "empty-caption" } satisfies RuleEntry;
