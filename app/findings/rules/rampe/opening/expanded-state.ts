import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-expanded-state", question: "expanded-state" } satisfies RuleEntry;
