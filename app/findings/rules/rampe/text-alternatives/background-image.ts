import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-background-image", barrier: "images", question: "background-image" } satisfies RuleEntry;
