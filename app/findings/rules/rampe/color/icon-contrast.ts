import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-icon-contrast", barrier: "faintControls", question: "icon-contrast" } satisfies RuleEntry;
