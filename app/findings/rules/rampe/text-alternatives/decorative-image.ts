import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-decorative-image", barrier: "images", question: "decorative-image" } satisfies RuleEntry;
