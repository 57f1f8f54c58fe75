import { fixMarkup } from "~/findings/fixes/markup";
import { nameByContent } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "button-name", barrier: "buttons", fix: fixMarkup(nameByContent("button")) } satisfies RuleEntry;
