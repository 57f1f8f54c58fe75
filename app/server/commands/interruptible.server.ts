import { BackupProblem } from "~/administration/backup/backup-problem";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does work that cleans up after itself when Ctrl-C is pressed, the process is stopped or its terminal is closed. If the work
 * succeeds all the same, it counts.
 * @param work gets a signal that is aborted then
 * @param sentence for the operator, if the work was interrupted
 * @throws {BackupProblem} with that sentence
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>, sentence: string): Promise<Result> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  // Until the work ends: npm passes on a Ctrl-C that the terminal has sent already.
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
