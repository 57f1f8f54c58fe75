import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-enlarged-text", barrier: "enlargedText", question: "enlarged-text" } satisfies RuleEntry;
