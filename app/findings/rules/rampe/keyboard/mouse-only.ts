import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-mouse-only", question: "mouse-only" } satisfies RuleEntry;
