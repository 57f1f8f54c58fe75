import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "skip-link", barrier: "skipping", question: "skip-link" } satisfies RuleEntry;
