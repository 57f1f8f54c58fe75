import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-link-purpose-alone", barrier: "links", question: "link-purpose" } satisfies RuleEntry;
