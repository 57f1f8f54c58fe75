import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "landmark-complementary-is-top-level", barrier: "landmarks" } satisfies RuleEntry;
