import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "heading-order", barrier: "headings" } satisfies RuleEntry;
