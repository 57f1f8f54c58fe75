import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-frame-title", barrier: "frames" } satisfies RuleEntry;
