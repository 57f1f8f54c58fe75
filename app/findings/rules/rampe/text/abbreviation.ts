import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-abbreviation", barrier: "hardText", question: "abbreviation" } satisfies RuleEntry;
