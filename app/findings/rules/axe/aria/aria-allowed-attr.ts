import { fixMarkup } from "~/findings/fixes/markup";
import { lowerCaseValues } from "~/findings/fixes/markup/aria";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-allowed-attr", fix: fixMarkup(lowerCaseValues) } satisfies RuleEntry;
