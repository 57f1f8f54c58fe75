import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-skip-link-target", barrier: "skipping", question: "skip-link-use" } satisfies RuleEntry;
