import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-error-told", barrier: "errors", question: "error-told" } satisfies RuleEntry;
