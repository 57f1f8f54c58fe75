import { createHash } from "node:crypto";

/** Short is enough: a collision within a rule only puts two kinds of elements under one heading. */
const LENGTH = 12;

/**
 * Same key for elements that probably come from one component: their opening tags differ only in numbers, as in
 * `<a href="/product/12">` and `<a href="/product/13">`. What they contain does not matter.
 * @param html opening markup of an element, perhaps cut
 */
export function componentKey(html: string): string {
  const [tag = html] = /^<[^>]*>/.exec(html) ?? [];
  const kind = tag.replace(/\d+/g, "#").replace(/\s+/g, " ");
  return createHash("sha256").update(kind).digest("base64url").slice(0, LENGTH);
}
