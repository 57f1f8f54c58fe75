import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-same-name", barrier: "consistency", question: "rampe-same-name" } satisfies RuleEntry;
