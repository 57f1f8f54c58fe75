import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-focus-kept", barrier: "focusOrder" } satisfies RuleEntry;
