import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-room-to-read", barrier: "narrow", question: "room-to-read" } satisfies RuleEntry;
