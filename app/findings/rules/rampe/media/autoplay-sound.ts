import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "rampe-autoplay-sound", barrier: "autoplay" } satisfies RuleEntry;
