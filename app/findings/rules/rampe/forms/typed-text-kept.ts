import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-typed-text-kept", barrier: "errors", question: "typed-text-kept" } satisfies RuleEntry;
