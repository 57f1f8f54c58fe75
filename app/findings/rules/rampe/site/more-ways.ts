import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-more-ways", barrier: "finding", question: "rampe-more-ways" } satisfies RuleEntry;
