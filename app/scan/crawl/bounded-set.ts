/** Counts different texts, up to a number at which it stops to tell them apart and to count. */
export interface Distinct {
  /** True when the text was not counted before and is now. */
  add(text: string): boolean;
  readonly size: number;
}

export function createDistinct(most: number): Distinct {
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
