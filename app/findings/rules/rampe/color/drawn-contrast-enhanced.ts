import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-drawn-contrast-enhanced", barrier: "contrast", question: "drawn-contrast-enhanced" } satisfies RuleEntry;
