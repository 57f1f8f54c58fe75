import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-error-in-text", barrier: "errors", question: "error-in-text" } satisfies RuleEntry;
