/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

export interface PausingGlobals {
  /** Resolves after `ms`. */
  pause(ms: number): Promise<unknown>;
}

/** Window timers do not fire if the page may run no scripts (a sandbox), or after we silenced them. */
export function definePause(): void {
  (globalThis as unknown as PausingGlobals).pause = (ms) => {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const { waitAsync } = Atomics as typeof Atomics & {
      waitAsync(cell: Int32Array, at: number, value: number, ms: number): { value: Promise<unknown> };
    };
    return waitAsync(new Int32Array(buffer), 0, 0, ms).value;
  };
}
