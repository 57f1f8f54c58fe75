import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "server-side-image-map", barrier: "imageMaps", asksOnly: true } satisfies RuleEntry;
