import type { Runs } from "~/models/run.server";
import type { Scanner } from "~/scan/types";
import type { JobHandler } from "./queue";

export interface ScanRunOptions {
  runs: Pick<Runs, "begin" | "finish" | "requeue" | "fail">;
  scanner: Pick<Scanner, "engine" | "check">;
  /** A run's state has changed in the database. */
  onChanged?: (runId: string) => void;
}

/** The job of a run: check its page, store what was found. */
export function scanRun({ runs, scanner, onChanged = () => {} }: ScanRunOptions): JobHandler {
  return {
    async work({ runId }, { signal }) {
      const order = await runs.begin(runId);
      if (!order) return async () => {};
      onChanged(runId);
      const result = await scanner.check({ ...order, signal });
      return (trx) => runs.finish(trx, runId, result, scanner.engine);
    },
    putBack: (trx, { runId }) => runs.requeue(trx, runId),
    giveUp: (trx, { runId }) => runs.fail(trx, runId, "crashed"),
    settled: ({ runId }) => onChanged(runId),
  };
}
