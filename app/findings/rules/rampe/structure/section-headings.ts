import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-section-headings", barrier: "headings", question: "section-headings" } satisfies RuleEntry;
