import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-hidden-focus", barrier: "hiddenFocus" } satisfies RuleEntry;
