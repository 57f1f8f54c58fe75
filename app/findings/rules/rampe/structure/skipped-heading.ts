import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-skipped-heading", barrier: "headings", question: "skipped-heading" } satisfies RuleEntry;
