import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-media-alternative", barrier: "captions", question: "media-alternative" } satisfies RuleEntry;
