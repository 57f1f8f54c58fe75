import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { confirmAddress, newMember, newToken, randomClientAddress, signedIn, type Member } from "../support/accounts/accounts";
import { browserProcesses } from "../support/servers/processes";
import { startServer } from "../support/servers/server";
import { filesOf } from "../support/database/server-database";
import { conclude, exactly, figure, introduce, median, round, spread, type Figure } from "./support/figures";
import { openGeneratedSite } from "./support/generated-site";
import { isResult } from "./support/bench-server";
import { readOptions, sized } from "./support/options";

/*
 * A server at full load for an hour. Its clock is set four days ahead every two and a half minutes: three months of clean-up,
 * backups, sessions and time limits. Memory, file handles, processes and write-ahead log must stay constant, and database and backups for
 * each kept page: the last third of the time is compared with the second, as the first fills the data kept for a month.
 * Needs a build.
 *
 *   npx tsx tests/bench/soak.ts [--minutes 60]
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const STEPS = sized(24, 2);
const STEP_HOURS = 96;
const RETENTION_DAYS = 30;
const VISITORS = 3;
/** Visitors fill the remaining time, so that the amount of stored data per step does not depend on the machine. */
const SITES_A_STEP = 2;
const PAGES = sized(8, 1);
const SAMPLES = sized(90, 6);
const SIGN_IN_EVERY_MS = sized(5_000, 500);
const METRICS_TOKEN = "a token for the soak";
const MARK = `Rampe-soak/${process.pid}`;
/** Tolerance for noise: browsers restart, garbage is collected late. */
const FLAT = 1.15;

const { values } = readOptions({ values: { minutes: sized("60", "0.05") } });
const lengthMs = Number(values.minutes) * MINUTE_MS;
introduce("A server at full load, with its clock set ahead", { minutes: Number(values.minutes), "hours by its clock": round(STEPS * STEP_HOURS + lengthMs / HOUR_MS) });

const folder = mkdtempSync(path.join(tmpdir(), "rampe-soak-"));
const [dataDir, backups, clockFile] = [path.join(folder, "data"), path.join(folder, "backups"), path.join(folder, "clock")];
writeFileSync(clockFile, "0");
const site = await openGeneratedSite(PAGES);
const server = await startServer({
  dataDir,
  clockFile,
  env: {
    ...{ NODE_ENV: "production", LOG_LEVEL: "warn", BILLING: "off", TRUST_PROXY: "1", METRICS_TOKEN, SCAN_USER_AGENT: MARK },
    ...{ SCAN_ALLOW_PRIVATE: "127.0.0.1", FREE_CHECKS_PER_HOUR: "1000000", RETENTION_DAYS: String(RETENTION_DAYS), BACKUP_DIR: backups, BACKUP_KEEP: "2" },
  },
});

interface Sample {
  residentMb: number;
  browserProcesses: number;
  openFiles: number;
  databaseMb: number;
  walMb: number;
  backupsMb: number;
  /** Pages checked within the retention time, by the server's clock. */
  keptPages: number;
  databaseKbPerPage: number;
  backupsKbPerPage: number;
}

const samples: Sample[] = [];
const checked: { at: number; pages: number }[] = [];
const counted = { checks: 0, sites: 0, exports: 0, signIns: 0, failed: [] as string[] };
const first = await newMember(server, { language: "en" });
await confirmAddress(first, server);
const token = await newToken(first, { lifetime: "365", "runs:read": "yes", "runs:write": "yes" });
const began = performance.now();
let turns = 0;
const isOn = () => performance.now() - began < lengthMs;

await Promise.all([
  ...Array.from({ length: VISITORS }, () => repeat("check", freeCheck)),
  repeat("site", () => inItsTurn(siteScan)),
  repeat("sign-in", signInAgain),
  moveClock(),
  watch(),
]);
const { code, ms } = await server.stop();
await site.close();
rmSync(folder, { recursive: true });

const shown = (name: keyof Sample): Figure => {
  const all = samples.map((sample) => sample[name]);
  const third = Math.floor(all.length / 3);
  const [second, last] = [median(all.slice(third, 2 * third)), median(all.slice(2 * third))];
  return { what: `${name}: median of the second and of the last third`, measured: `${round(second)}, ${round(last)} (all: ${spread(all)})`, target: `at most ${FLAT} times, or 2 more`, met: last <= Math.max(second * FLAT, second + 2) };
};
const problems = new Map<string, number>();
for (const { msg, level } of server.log()) if (Number(level) >= 40) problems.set(msg, (problems.get(msg) ?? 0) + 1);
conclude([
  figure("free checks, site scans, exports, sign-ins", `${counted.checks}, ${counted.sites}, ${counted.exports}, ${counted.signIns}`),
  exactly("what failed", counted.failed.length, 0),
  ...(["residentMb", "browserProcesses", "openFiles", "walMb", "databaseKbPerPage", "backupsKbPerPage"] as const).map(shown),
  ...(["databaseMb", "backupsMb", "keptPages"] as const).map((name) => figure(name, spread(samples.map((sample) => sample[name])))),
  ...[...problems].map(([message, count]) => figure(`log: ${message}`, count)),
  exactly("exit code of the stop", code ?? -1, 0),
  figure("time of the stop", `${Math.round(ms)} ms`),
]);
for (const failure of counted.failed.slice(0, 20)) console.log(failure);

async function repeat(what: string, once: () => Promise<void>): Promise<void> {
  while (isOn()) {
    await once().catch((error: unknown) => {
      counted.failed.push(`${what} after ${Math.round((performance.now() - began) / 1_000)} s: ${String(error)}`);
      return delay(1_000);
    });
  }
}

/** Waits until the next site of this step is due. */
async function inItsTurn(once: () => Promise<void>): Promise<void> {
  const due = began + (turns * lengthMs) / STEPS / SITES_A_STEP;
  turns += 1;
  await delay(Math.max(0, due - performance.now()));
  if (isOn()) await once();
}

/** Visitor with a new address, who waits for the result. */
async function freeCheck(): Promise<void> {
  const headers = randomClientAddress();
  const url = site.urls[counted.checks % PAGES] ?? "";
  const ordered = await fetch(`${server.origin}/?index`, { method: "POST", body: new URLSearchParams({ url }), redirect: "manual", headers });
  const check = ordered.headers.get("location");
  if (ordered.status !== 303 || check === null) throw new Error(`the form answered ${ordered.status}`);
  await untilOver(async () => isResult(await (await fetch(`${server.origin}${check}`, { headers })).text()));
  counted.checks += 1;
}

/** Scan of the whole site by API, then all its exports. */
async function siteScan(): Promise<void> {
  const member = await signedIn(server, first.person, { language: "en" });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const ordered = await fetch(`${server.origin}/api/v1/runs`, { method: "POST", headers: { ...headers, "Idempotency-Key": `soak-${counted.sites}` }, body: JSON.stringify({ url: site.urls[0], scope: "site" }) });
  const { id } = (await ordered.json()) as { id: string };
  if (!ordered.ok) throw new Error(`the API answered ${ordered.status}`);
  await untilOver(async () => {
    const { status } = (await (await fetch(`${server.origin}/api/v1/runs/${id}`, { headers })).json()) as { status: string };
    if (status === "failed" || status === "canceled") throw new Error(`the scan of the site: ${status}`);
    return status === "succeeded";
  });
  counted.sites += 1;
  for (const format of ["json", "csv", "pdf", "earl.json", "sarif"]) {
    const { status } = await member.get(`/run/${id}/export.${format}`);
    if (status !== 200) throw new Error(`export.${format} answered ${status}`);
    counted.exports += 1;
  }
  await member.post("/logout");
}

async function signInAgain(): Promise<void> {
  const member: Member = await signedIn(server, first.person, { language: "en" });
  for (const page of ["/", "/runs", "/websites", "/profile/general"]) {
    const { status } = await member.get(page);
    if (status !== 200) throw new Error(`GET ${page} answered ${status}`);
  }
  counted.signIns += 1;
  await member.post("/logout");
  await delay(SIGN_IN_EVERY_MS);
}

async function untilOver(isOver: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 10 * MINUTE_MS; performance.now() < end; await delay(500)) if (await isOver()) return;
  throw new Error("no result within ten minutes");
}

async function moveClock(): Promise<void> {
  for (let step = 1; step < STEPS; step += 1) {
    await delay(lengthMs / STEPS);
    writeFileSync(clockFile, String(step * STEP_HOURS * HOUR_MS));
  }
}

function megabytes(files: string[]): number {
  return files.reduce((total, file) => total + statSync(file).size, 0) / 1e6;
}

/** Pages of finished free checks and sites. */
function pagesKept(): number {
  const at = performance.now() - began;
  const pages = counted.checks + counted.sites * PAGES;
  checked.push({ at, pages });
  const keptMs = ((RETENTION_DAYS * 24) / STEP_HOURS) * (lengthMs / STEPS);
  return pages - (checked.findLast((earlier) => earlier.at <= at - keptMs)?.pages ?? 0);
}

async function watch(): Promise<void> {
  while (isOn()) {
    await delay(lengthMs / SAMPLES);
    const metrics = await (await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })).text();
    const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    const isLog = (file: string) => /-(wal|shm)$/.test(file);
    const [databaseMb, backupsMb] = [megabytes(filesOf({ dataDir }).filter((file) => !isLog(file))), existsSync(backups) ? megabytes(readdirSync(backups).map((file) => path.join(backups, file))) : 0];
    const keptPages = Math.max(1, pagesKept());
    samples.push({
      residentMb: valueOf("process_resident_memory_bytes") / 1e6,
      browserProcesses: browserProcesses(MARK).length,
      openFiles: valueOf("process_open_fds"),
      databaseMb,
      walMb: megabytes(filesOf({ dataDir }).filter(isLog)),
      backupsMb,
      keptPages,
      databaseKbPerPage: (databaseMb * 1_000) / keptPages,
      backupsKbPerPage: (backupsMb * 1_000) / keptPages,
    });
    console.log(JSON.stringify({ minute: round((performance.now() - began) / MINUTE_MS), ...samples.at(-1), ...counted, failed: counted.failed.length }));
  }
}
