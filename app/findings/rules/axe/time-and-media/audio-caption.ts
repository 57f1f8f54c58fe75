import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "audio-caption", barrier: "captions" } satisfies RuleEntry;
