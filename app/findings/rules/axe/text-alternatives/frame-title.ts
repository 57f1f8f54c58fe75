import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "frame-title", barrier: "frames", fix: fixMarkup(nameBy("title", "frame")) } satisfies RuleEntry;
