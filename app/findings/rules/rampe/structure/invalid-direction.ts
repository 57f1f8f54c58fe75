import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-invalid-direction", barrier: "partLanguage" } satisfies RuleEntry;
