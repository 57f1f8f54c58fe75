/** Why there is no backup, or nothing was restored: a sentence for the operator, with what to do. */
export class BackupProblem extends Error {
  override name = "BackupProblem";
}
