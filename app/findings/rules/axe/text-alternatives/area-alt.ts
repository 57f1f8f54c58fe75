import { fixMarkup } from "~/findings/fixes/markup";
import { nameBy } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "area-alt", barrier: "imageControls", fix: fixMarkup(nameBy("alt", "link")) } satisfies RuleEntry;
