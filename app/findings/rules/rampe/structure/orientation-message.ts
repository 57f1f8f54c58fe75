import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-orientation-message", question: "css-orientation-lock" } satisfies RuleEntry;
