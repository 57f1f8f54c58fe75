import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-motion-sensor", barrier: "motionSensors", question: "motion-sensor" } satisfies RuleEntry;
