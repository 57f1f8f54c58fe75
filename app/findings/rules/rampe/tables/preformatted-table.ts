import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-preformatted-table", question: "preformatted-table" } satisfies RuleEntry;
