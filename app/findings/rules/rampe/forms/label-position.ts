import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-label-position", question: "label-position" } satisfies RuleEntry;
