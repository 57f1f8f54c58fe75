import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-part-language", question: "part-language" } satisfies RuleEntry;
