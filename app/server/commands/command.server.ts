import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import { openExistingDatabase } from "~/server/storage/database.server";

/** Command of the operator on the server itself: `npm run admin -- NAME ARGUMENTS`. */
export interface Command {
  /** Placeholders of the arguments, for the list of commands: `EMAIL`, `FILE [--to FOLDER]`; one line for each variant. */
  takes: string | string[];
  /** Description for the list of commands: one line, in the third person. */
  does: string;
  /**
   * @param args arguments after the name of the command
   * @returns false if the command failed, after a message
   * @throws {WrongUsage} @throws {InvalidSetting}
   */
  run(args: string[], context: CommandContext): Promise<boolean>;
}

export interface CommandContext {
  /** Reads the configuration. @throws {InvalidSetting} */
  env(): Env;
  /** Reads one line of the standard input; empty if there is none. @param prompt shown to a person at a terminal */
  readLine(prompt: string): Promise<string>;
  /** Writes a text to the standard output. */
  say(text: string): void;
  /** Writes a text to the standard error. */
  complain(text: string): void;
}

/** Opens the database for a command, and closes it. @throws {InvalidSetting} if there is no database yet */
export async function withDatabase<Result>(env: Env, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = await openExistingDatabase(env);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Error: wrong arguments. The usage of the command is shown. */
export class WrongUsage extends Error {
  override name = "WrongUsage";
}
