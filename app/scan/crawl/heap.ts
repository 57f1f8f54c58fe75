/** Priority queue: returns the first item by `isBefore`, in any insertion order. */
export interface Heap<T> {
  push(item: T): void;
  pop(): T | undefined;
  peek(): T | undefined;
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const before = (a: number, b: number) => {
    const [one, other] = [items[a], items[b]];
    return one !== undefined && other !== undefined && isBefore(one, other);
  };
  const swap = (a: number, b: number) => {
    [items[a], items[b]] = [items[b]!, items[a]!];
  };

  return {
    push(item) {
      let at = items.push(item) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && before(at, parent); at = parent, parent = (at - 1) >> 1)
        swap(at, parent);
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      items[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const child = before(right, left) ? right : left;
        if (!before(child, at)) return first;
        swap(child, at);
        at = child;
      }
    },
    peek: () => items[0],
  };
}
