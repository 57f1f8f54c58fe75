import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-access-keys", barrier: "shortcuts", question: "access-keys" } satisfies RuleEntry;
