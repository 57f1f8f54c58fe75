import { openersOf } from "~/scan/interaction/keys/opened-widgets";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { FindingResult } from "~/scan/types";

/** Adds the name of the control that shows it to each widget in opened content. @param findings whose elements are changed */
export async function nameOpeners(world: IsolatedWorld, findings: FindingResult[]): Promise<void> {
  const elements = findings.flatMap((finding) => finding.elements);
  const selectors = elements.map(({ target: [selector, inner] }) => (typeof selector === "string" && inner === undefined ? selector : ""));
  const names = await world.call(openersOf, selectors);
  for (const [index, element] of elements.entries()) {
    const opened = names[index];
    if (opened) element.context = { ...element.context, opened };
  }
}
