import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-one-sided-colors", question: "one-sided-colors" } satisfies RuleEntry;
