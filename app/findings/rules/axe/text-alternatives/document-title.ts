import { fixMarkup } from "~/findings/fixes/markup";
import { titled } from "~/findings/fixes/markup/names";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "document-title", barrier: "pageTitle", fix: fixMarkup(titled) } satisfies RuleEntry;
