import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-animated-image", barrier: "moving", question: "moving-content" } satisfies RuleEntry;
