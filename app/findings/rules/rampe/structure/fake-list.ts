import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-fake-list", barrier: "lists", question: "fake-list" } satisfies RuleEntry;
