import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "th-has-data-cells", asksOnly: true } satisfies RuleEntry;
