import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { pendingOf } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import { openSqlite } from "db/sqlite.server";
import { processEnv, type Env } from "~/platform/env.server";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { launchBrowser } from "~/scan/browser/browser-launch";
import { runsWithoutSandbox, SandboxForbidden, WITHOUT_SANDBOX } from "~/scan/browser/sandbox";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { usesPostgres } from "~/server/storage/postgres-database.server";
import { databaseFile, migrationsOf } from "~/server/storage/database.server";
import { databaseBytes, leastFreeBytes } from "~/server/storage/disk-space.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";
import { existingOf } from "./folder-checks.server";

const MB = 1_000_000;
const BROWSER_WITHIN_MS = 60_000;
/** Maximum clock difference: a larger one is not caused by the time of transport. */
const MOST_CLOCK_ERROR_MS = 60_000;

/** Starts the browser and opens a page. */
export async function checkBrowser({ SCAN_USER_AGENT: userAgent }: Env): Promise<CheckResult> {
  try {
    const found = findBrowser(processEnv());
    if (!found) return failed("there is no browser: install one (Debian: apt-get install chromium-headless-shell), or set CHROME_PATH");
    const { browser, ended } = await launchBrowser({ executablePath: found.path, userAgent }, AbortSignal.timeout(BROWSER_WITHIN_MS));
    try {
      const page = await browser.newPage();
      await page.setContent("<title>Rampe</title>", { timeout: BROWSER_WITHIN_MS });
      if ((await page.title()) !== "Rampe") return failed(`${found.path} shows no page: try another one with CHROME_PATH`);
      return ok([await browser.version(), found.path, runsWithoutSandbox() && WITHOUT_SANDBOX].filter(Boolean).join(", "));
    } finally {
      await browser.close();
      await ended;
    }
  } catch (error) {
    if (error instanceof SandboxForbidden) return failed(error.message);
    return failed(`the browser does not start: install another one (Debian: apt-get install chromium-headless-shell), or set CHROME_PATH (${messageOf(error)})`);
  }
}

/** Connects to a PostgreSQL database, and checks for the migrations of this version; the first start applies them. */
export async function checkDatabase(env: Env): Promise<CheckResult> {
  try {
    const pending = pendingOf(await migrationsOf(env));
    return ok(pending.length === 0 ? "it answers, and is of this version" : "it answers, and the next start updates it");
  } catch (error) {
    return failed(`it cannot be used: correct DATABASE_URL, or start the database (${messageOf(error)})`);
  }
}

/** Number of workers of a web server. None is no failure: they may start later. */
export async function checkWorkers({ DATABASE_URL: url }: Env): Promise<CheckResult> {
  try {
    const { workers, stop } = await joinInstallation({ url, mayLead: false });
    const count = await workers().finally(stop);
    return notSet(`ROLE=web: ${count === 0 ? "no worker is running" : count === 1 ? "1 worker is running" : `${count} workers are running`}`);
  } catch (error) {
    return failed(`the number of workers is unknown (${messageOf(error)})`);
  }
}

/** Compares the free space with the limit for new scans; the first start creates the folder. */
export async function checkDisk(env: Env): Promise<CheckResult> {
  const folder = existingOf(path.dirname(databaseFile(env)));
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const [free, least] = [bavail * bsize, leastFreeBytes(env, blocks * bsize)];
    const fact = `${Math.round(free / MB)} MB are free in ${folder}`;
    if (free < least) return failed(`${fact}, and under ${Math.round(least / MB)} MB no scan begins: make room, or lower DISK_MIN_FREE_MB`);
    const bytes = await databaseBytes(env);
    const wantsCopies = env.BACKUP_DIR !== undefined || env.UPDATE_COPY === "on";
    if (wantsCopies && free < bytes) return failed(`${fact}, but a backup or an update copies the database of ${Math.round(bytes / MB)} MB: make room, or lower EVIDENCE_MAX_MB`);
    return ok(fact);
  } catch (error) {
    return failed(`${folder} cannot be looked at: correct DATA_DIR or DATABASE_URL (${messageOf(error)})`);
  }
}

/**
 * Compares the clock with that of another server, if an earlier check has contacted one, otherwise with the newest entry of the
 * database: a running server writes one every 15 s.
 * @param date time of another server
 */
export async function checkClock(env: Env, date?: Date, now = Date.now()): Promise<CheckResult> {
  if (date) {
    const error = Math.round((now - date.getTime()) / 1_000);
    if (Math.abs(error) * 1_000 > MOST_CLOCK_ERROR_MS) {
      return failed(`it is ${Math.abs(error)} s ${error > 0 ? "ahead of" : "behind"} that of the sign-in service: set it, best by NTP`);
    }
    return ok("compared with that of the sign-in service");
  }
  const newest = await newestEntry(env);
  if (newest === null) return ok("there is nothing to compare it with yet");
  const age = Math.round((now - newest) / 1_000);
  if (age * 1_000 < -MOST_CLOCK_ERROR_MS) return failed(`it is ${-age} s behind the newest entry of the database: set it, best by NTP`);
  return ok(`the newest entry of the database is ${Math.max(0, age)} s old`);
}

async function newestEntry(env: Env): Promise<number | null> {
  const file = databaseFile(env);
  if (!usesPostgres(env) && !existsSync(file)) return null;
  const db = usesPostgres(env) ? await openPostgres(env.DATABASE_URL) : openSqlite(file);
  try {
    return (await db.selectFrom("probe").select("at").executeTakeFirst())?.at ?? null;
  } catch {
    // Missing table: a database of an older version.
    return null;
  } finally {
    await db.destroy();
  }
}
