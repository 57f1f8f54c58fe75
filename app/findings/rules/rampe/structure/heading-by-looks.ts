import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-heading-by-looks", barrier: "headings", question: "p-as-heading" } satisfies RuleEntry;
