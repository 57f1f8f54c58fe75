import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-language-version", barrier: "pageLanguage", question: "rampe-language-version" } satisfies RuleEntry;
