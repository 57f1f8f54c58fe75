import { fixMarkup } from "~/findings/fixes/markup";
import { zoomable } from "~/findings/fixes/markup/viewport";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "meta-viewport", barrier: "zoom", fix: fixMarkup(zoomable(2)) } satisfies RuleEntry;
