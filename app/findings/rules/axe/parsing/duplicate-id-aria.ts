import { fixMarkup } from "~/findings/fixes/markup";
import { uniqueId } from "~/findings/fixes/markup/attributes";
import type { RuleEntry } from "~/findings/rules/rule";

export default { id: "duplicate-id-aria", fix: fixMarkup(uniqueId) } satisfies RuleEntry;
