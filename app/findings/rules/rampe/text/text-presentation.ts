import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-text-presentation", barrier: "denseText", question: "text-presentation" } satisfies RuleEntry;
