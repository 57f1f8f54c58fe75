/** Choices of the filter of all scans; `under_way` waits or runs. Each has a name in `admin:queue.state.…`. */
export const RUN_STATES = ["under_way", "failed", "canceled", "all"] as const;
export type RunState = (typeof RUN_STATES)[number];

export function isRunState(value: string): value is RunState {
  return RUN_STATES.some((state) => state === value);
}

/** Actions of administrators on scans; each has texts in `admin:queueChange.…`. */
const RUN_CHANGES = ["cancel", "delete"] as const;
export type RunChange = (typeof RUN_CHANGES)[number];

export function isRunChange(value: string): value is RunChange {
  return RUN_CHANGES.some((change) => change === value);
}
