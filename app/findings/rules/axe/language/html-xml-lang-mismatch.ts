import { fixMarkup } from "~/findings/fixes/markup";
import { sameLanguage } from "~/findings/fixes/markup/languages";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "html-xml-lang-mismatch", fix: fixMarkup(sameLanguage) } satisfies RuleEntry;
