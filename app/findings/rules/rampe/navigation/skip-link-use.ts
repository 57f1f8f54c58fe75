import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-skip-link-use", barrier: "skipping", question: "skip-link-use" } satisfies RuleEntry;
