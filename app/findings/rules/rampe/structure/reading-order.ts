import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-reading-order", question: "reading-order" } satisfies RuleEntry;
