import { createHash } from "node:crypto";

/** Counts distinct texts up to a limit; beyond it, new texts are not counted. */
export interface BoundedSet {
  /** True when the text is new and was counted. */
  add(text: string): boolean;
  readonly size: number;
}

/** Longer texts are kept as their hash: addresses may have 2,000 characters. */
const LONGEST_KEPT = 100;

export function createBoundedSet(most: number): BoundedSet {
  const texts = new Set<string>();
  return {
    add(text) {
      if (texts.size >= most) return false;
      const kept = text.length <= LONGEST_KEPT ? text : createHash("sha256").update(text).digest("base64");
      if (texts.has(kept)) return false;
      texts.add(kept);
      return true;
    },
    get size() {
      return texts.size;
    },
  };
}
