import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-expanded-state", barrier: "aria", question: "expanded-state" } satisfies RuleEntry;
