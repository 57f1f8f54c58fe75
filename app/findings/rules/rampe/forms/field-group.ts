import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-field-group", question: "field-group" } satisfies RuleEntry;
