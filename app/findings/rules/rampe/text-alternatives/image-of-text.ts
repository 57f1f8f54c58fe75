import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-image-of-text", barrier: "imagesOfText", question: "image-of-text" } satisfies RuleEntry;
