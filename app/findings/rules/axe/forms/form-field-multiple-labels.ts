import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "form-field-multiple-labels", barrier: "severalLabels", asksOnly: true } satisfies RuleEntry;
