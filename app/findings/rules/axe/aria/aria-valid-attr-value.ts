import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-valid-attr-value", question: "aria-valid-attr-value" } satisfies RuleEntry;
