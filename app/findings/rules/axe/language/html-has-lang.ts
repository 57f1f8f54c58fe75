import { fixMarkup } from "~/findings/fixes/markup";
import { pageLanguage } from "~/findings/fixes/markup/languages";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "html-has-lang", fix: fixMarkup(pageLanguage) } satisfies RuleEntry;
