import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-page-language", question: "page-language" } satisfies RuleEntry;
