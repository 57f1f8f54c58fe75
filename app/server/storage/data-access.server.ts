import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { InvalidSetting, type Env } from "~/platform/env.server";
import { cashierFile, databaseFile } from "./database.server";

const WRITE = constants.R_OK | constants.W_OK;
const FOLDER = WRITE | constants.X_OK;

/**
 * Checks the access of this user to the data folder: an earlier start as another user, such as root, often leaves its files.
 * @throws {InvalidSetting} with the name of the folder or of the file in it that this user cannot write
 */
export function requireWritable(env: Env): void {
  const database = databaseFile(env);
  const wanted: [place: string, mode: number][] = [
    [path.resolve(env.DATA_DIR), FOLDER],
    [path.dirname(database), FOLDER],
    ...[database, path.resolve(cashierFile(env))].flatMap((file) => ["", "-wal", "-shm"].map((part): [string, number] => [file + part, WRITE])),
    [path.resolve(env.DATA_DIR, "session-secret"), constants.R_OK],
    [path.resolve(env.DATA_DIR, "outbox"), FOLDER],
  ];
  for (const [place, mode] of wanted) if (existsSync(place)) requireAccess(place, mode, env);
}

function requireAccess(place: string, mode: number, { DATA_DIR }: Env): void {
  try {
    accessSync(place, mode);
  } catch (error) {
    const me = process.getuid?.();
    const { uid } = statSync(place);
    const hint = me === undefined || uid === me ? "" : `; it belongs to user ${uid}, and this is user ${me}: chown -R ${me} ${path.resolve(DATA_DIR)}`;
    const inFolder = !path.relative(path.resolve(DATA_DIR), place).startsWith("..");
    const verb = mode & constants.W_OK ? "written" : "read";
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidSetting(`${inFolder ? "DATA_DIR" : "DATABASE_URL"} is unusable: ${place} cannot be ${verb} (${code}${hint}).`);
  }
}
