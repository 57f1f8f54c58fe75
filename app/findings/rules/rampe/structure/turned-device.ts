import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-turned-device", barrier: "orientation", question: "css-orientation-lock" } satisfies RuleEntry;
