import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-header-scope", question: "header-scope" } satisfies RuleEntry;
