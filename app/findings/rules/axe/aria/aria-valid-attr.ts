import { fixMarkup } from "~/findings/fixes/markup";
import { knownAttributes } from "~/findings/fixes/markup/aria";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-valid-attr", fix: fixMarkup(knownAttributes) } satisfies RuleEntry;
