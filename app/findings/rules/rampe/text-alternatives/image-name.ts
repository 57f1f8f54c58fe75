import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-image-name", barrier: "images", question: "image-name" } satisfies RuleEntry;
