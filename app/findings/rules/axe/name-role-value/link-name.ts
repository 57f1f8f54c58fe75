import { fixMarkup } from "~/findings/fixes/markup";
import { nameByContent } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "link-name", barrier: "links", fix: fixMarkup(nameByContent("link")) } satisfies RuleEntry;
