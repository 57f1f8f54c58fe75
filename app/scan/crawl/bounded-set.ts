/** Counts different texts, up to a number at which it stops to tell them apart and to count. */
export interface BoundedSet {
  /** True when the text was not counted before and is now. */
  add(text: string): boolean;
  readonly size: number;
}

export function createBoundedSet(most: number): BoundedSet {
  const texts = new Set<string>();
  return {
    add(text) {
      if (texts.has(text) || texts.size >= most) return false;
      texts.add(text);
      return true;
    },
    get size() {
      return texts.size;
    },
  };
}
