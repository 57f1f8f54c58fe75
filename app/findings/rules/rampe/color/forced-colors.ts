import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-forced-colors", barrier: "faintControls", question: "forced-colors" } satisfies RuleEntry;
