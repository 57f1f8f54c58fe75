import { createHash } from "node:crypto";

/** Length of a key. Short is enough: a collision within a rule only puts two kinds of elements under one heading. */
const LENGTH = 12;

/**
 * Equal key for elements that probably belong to one component: their opening tags differ only in numbers, as in
 * `<a href="/product/12">` and `<a href="/product/13">`. Their content does not matter.
 * @param html opening markup of an element, perhaps cut
 */
export function componentKey(html: string): string {
  const [tag = html] = /^<[^>]*>/.exec(html) ?? [];
  const kind = tag.replace(/\d+/g, "#").replace(/\s+/g, " ");
  return createHash("sha256").update(kind).digest("base64url").slice(0, LENGTH);
}
