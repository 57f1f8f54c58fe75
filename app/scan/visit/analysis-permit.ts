import type { Deadline } from "~/platform/async/deadline";

/** A visit's permit to be analysed; only a limited number run at once. */
export interface AnalysisPermit {
  /** Waits for the permit with the visit's deadline paused; returns the function that releases it. */
  begin(): Promise<() => void>;
  /** Ends the visit, whatever its state. */
  end(): void;
}

/** @param take resolves with the release function; rejects when the signal is aborted */
export function createAnalysisPermit(
  take: (signal: AbortSignal) => Promise<() => void>,
  deadline: Deadline,
): AnalysisPermit {
  const over = new AbortController();
  let release = () => {};
  return {
    async begin() {
      // An analysis that the visit does not wait for may still hold one: the visit would wait for itself.
      release();
      const goOn = deadline.pause();
      try {
        release = await take(over.signal);
      } finally {
        if (!over.signal.aborted) goOn();
      }
      if (over.signal.aborted) release();
      return release;
    },
    end() {
      over.abort(new Error("the visit is over"));
      release();
    },
  };
}
