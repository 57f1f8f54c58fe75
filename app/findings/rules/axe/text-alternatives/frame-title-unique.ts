import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "frame-title-unique", barrier: "frames" } satisfies RuleEntry;
