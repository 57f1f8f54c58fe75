import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-unnamed-landmarks", barrier: "landmarks", question: "unnamed-landmarks" } satisfies RuleEntry;
