import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-same-links", barrier: "identicalLinks", question: "identical-links-same-purpose" } satisfies RuleEntry;
