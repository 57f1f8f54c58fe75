import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-field-edge", barrier: "faintControls", question: "field-edge" } satisfies RuleEntry;
