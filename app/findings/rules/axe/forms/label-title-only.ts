import { fixMarkup } from "~/findings/fixes/markup";
import { labelled } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "label-title-only", barrier: "fieldTitles", fix: fixMarkup(labelled) } satisfies RuleEntry;
