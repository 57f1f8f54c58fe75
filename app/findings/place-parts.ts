import type { ElementContext } from "~/scan/types";
import { namedRole } from "./named-role";

const REGIONS = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"] as const;

/** A piece of a sentence about where an element is: words of ours, a name from the page, or both. */
export interface PlacePart {
  words: `common:role.${NonNullable<ReturnType<typeof namedRole>>}` | `check:place.in.${(typeof REGIONS)[number]}` | "check:place.under" | "check:place.opened" | null;
  /** Text of the page, in any language and direction. */
  name?: string;
}

/** Where an element is: what it is, in which region, under which heading. Empty if nothing is known. */
export function placeParts({ role, name, landmark, heading, opened }: ElementContext): PlacePart[] {
  const kind = namedRole(role);
  const region = REGIONS.find((each) => each === landmark?.role);
  const parts: PlacePart[] = [];
  if (kind || name) parts.push({ words: kind ? `common:role.${kind}` : null, name });
  if (region) parts.push({ words: `check:place.in.${region}`, name: landmark?.name });
  // A heading is not under itself.
  if (heading && heading !== name) parts.push({ words: "check:place.under", name: heading });
  if (opened) parts.push({ words: "check:place.opened", name: opened });
  return parts;
}
