import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-activation-keys", barrier: "keyboard", question: "activation-keys" } satisfies RuleEntry;
