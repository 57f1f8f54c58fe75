import type { ElementContext } from "~/scan/types";
import { namedRole } from "./named-role";

const REGIONS = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"] as const;

/** Part of the text about an element's context: words from the locale, a name from the page, or both. */
export interface ContextPart {
  words: `common:role.${NonNullable<ReturnType<typeof namedRole>>}` | `check:place.in.${(typeof REGIONS)[number]}` | "check:place.under" | "check:place.opened" | "check:place.closed" | null;
  /** Text of the page, in any language and direction. */
  name?: string;
}

/** Context of an element: its role and name, its region, its heading. Empty if nothing is known. */
export function contextParts({ role, name, landmark, heading, opened, closed }: ElementContext): ContextPart[] {
  const kind = namedRole(role);
  const region = REGIONS.find((each) => each === landmark?.role);
  const parts: ContextPart[] = [];
  if (kind || name) parts.push({ words: kind ? `common:role.${kind}` : null, name });
  if (region) parts.push({ words: `check:place.in.${region}`, name: landmark?.name });
  // An element is not under its own heading.
  if (heading && heading !== name) parts.push({ words: "check:place.under", name: heading });
  if (opened) parts.push({ words: "check:place.opened", name: opened });
  if (closed !== undefined) parts.push({ words: "check:place.closed", ...(closed && { name: closed }) });
  return parts;
}
