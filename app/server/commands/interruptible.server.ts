import { BackupProblem } from "~/administration/backup/backup-problem";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that can clean up after Ctrl-C, a stop of the process or the end of its terminal. If the work still succeeds, its
 * result counts.
 * @param work work with a signal, which is aborted by an interruption
 * @param sentence message to the operator after an interruption
 * @throws {BackupProblem} with that sentence
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>, sentence: string): Promise<Result> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  // Handlers until the end of the work: npm sends a Ctrl-C again that the terminal has already sent.
  for (const each of SIGNALS) process.on(each, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) throw new BackupProblem(sentence);
    throw error;
  } finally {
    for (const each of SIGNALS) process.off(each, stop);
  }
}
