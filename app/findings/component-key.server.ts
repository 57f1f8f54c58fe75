import { createHash } from "node:crypto";

/** Two kinds of elements of one rule that meet by chance would only stand under one heading. */
const LENGTH = 12;

/**
 * The same for elements that most likely come from one component: their opening tags are alike but for numbers, as in
 * `<a href="/product/12">` and `<a href="/product/13">`. What they contain does not matter.
 * @param html opening markup of an element, perhaps cut
 */
export function componentKey(html: string): string {
  const [tag = html] = /^<[^>]*>/.exec(html) ?? [];
  const kind = tag.replace(/\d+/g, "#").replace(/\s+/g, " ");
  return createHash("sha256").update(kind).digest("base64url").slice(0, LENGTH);
}
