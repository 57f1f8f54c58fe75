import { fixMarkup } from "~/findings/fixes/markup";
import { nativeState } from "~/findings/fixes/markup/aria";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "aria-conditional-attr", fix: fixMarkup(nativeState) } satisfies RuleEntry;
