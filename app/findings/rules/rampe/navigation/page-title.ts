import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-page-title", barrier: "pageTitle", question: "page-title" } satisfies RuleEntry;
