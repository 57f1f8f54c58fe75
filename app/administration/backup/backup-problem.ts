/** Reason why a backup or restore failed: a sentence for the operator, with a remedy. */
export class BackupProblem extends Error {
  override name = "BackupProblem";
}
