/** Counts distinct texts up to a limit; beyond it, new texts are not counted. */
export interface BoundedSet {
  /** True when the text is new and was counted. */
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
