import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-same-title", barrier: "pageTitle", question: "rampe-same-title" } satisfies RuleEntry;
