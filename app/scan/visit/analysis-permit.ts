import type { Deadline } from "~/scan/browser/deadline";

/** A visit's turn to be analysed, of which only so many have theirs at once. */
export interface AnalysisPermit {
  /** Waits for it, while the visit's clock stands still; gives what ends it. */
  begin(): Promise<() => void>;
  /** The visit is over, whatever it is doing. */
  end(): void;
}

/** @param take gives what is to be called at its end; rejects when the signal is aborted */
export function createAnalysisPermit(
  take: (signal: AbortSignal) => Promise<() => void>,
  deadline: Deadline,
): AnalysisPermit {
  const over = new AbortController();
  let release = () => {};
  return {
    async begin() {
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
