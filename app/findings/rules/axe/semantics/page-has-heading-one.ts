import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "page-has-heading-one", barrier: "headings" } satisfies RuleEntry;
