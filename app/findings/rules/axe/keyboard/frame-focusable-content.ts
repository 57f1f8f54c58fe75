import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "frame-focusable-content", barrier: "keyboard" } satisfies RuleEntry;
