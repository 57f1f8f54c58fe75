import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-header-place", question: "header-place" } satisfies RuleEntry;
