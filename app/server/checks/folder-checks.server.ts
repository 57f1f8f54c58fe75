import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Env } from "~/platform/env.server";
import { requireWritable } from "~/server/storage/data-access.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

/** Checks whether this user can write the data folder, or create it: the first start does that. */
export function checkDataFolder(env: Env): CheckResult {
  const folder = path.resolve(env.DATA_DIR);
  try {
    if (existsSync(folder)) {
      requireWritable(env);
      return ok(env.DATA_DIR);
    }
    const parent = existingOf(folder);
    if (!canMakeIn(parent)) return failed(`${env.DATA_DIR} does not exist, and this user cannot create it in ${parent}: create it for this user, or correct DATA_DIR`);
    return ok(`${env.DATA_DIR} is created by the first start`);
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** Creates a folder in the backup folder, and removes it. */
export function checkBackupFolder({ BACKUP_DIR: folder }: Env): CheckResult {
  if (folder === undefined) return notSet("BACKUP_DIR: the server makes no backups");
  const parent = path.dirname(path.resolve(folder));
  // Same behaviour as the server: it creates this folder, but none above it.
  if (!existsSync(parent)) return failed(`${folder} can hold no archives: mount its disk, or create ${parent}`);
  if (!existsSync(folder)) return canMakeIn(parent) ? ok(`${folder} is created by the first backup`) : failed(`${folder} does not exist, and this user cannot create it: create it for this user`);
  try {
    rmdirSync(mkdtempSync(path.join(folder, ".check-")));
    return ok(folder);
  } catch (error) {
    return failed(`${folder} can hold no archives: make it a folder that this user can write, or correct BACKUP_DIR (${messageOf(error)})`);
  }
}

/** Path of a folder, or of the nearest existing folder above it. @param folder absolute path */
export function existingOf(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : existingOf(parent);
}

function canMakeIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
