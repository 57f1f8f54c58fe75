import { fixMarkup } from "~/findings/fixes/markup";
import { validLanguage } from "~/findings/fixes/markup/languages";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "html-lang-valid", fix: fixMarkup(validLanguage) } satisfies RuleEntry;
