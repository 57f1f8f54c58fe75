import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-autocomplete", barrier: "autocomplete", question: "autocomplete" } satisfies RuleEntry;
