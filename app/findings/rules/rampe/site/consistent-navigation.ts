import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-consistent-navigation", barrier: "consistency", question: "rampe-consistent-navigation" } satisfies RuleEntry;
