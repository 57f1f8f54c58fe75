import { fixMarkup } from "~/findings/fixes/markup";
import { requiredAttributes } from "~/findings/fixes/markup/aria";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-required-attr", fix: fixMarkup(requiredAttributes) } satisfies RuleEntry;
