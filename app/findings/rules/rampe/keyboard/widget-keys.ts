import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-widget-keys", barrier: "keyboard", question: "widget-keys" } satisfies RuleEntry;
