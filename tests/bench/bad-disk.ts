import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newMember, type Member } from "../support/accounts/accounts";
import { freePort } from "../support/servers/free-port";
import { startServer, type TestServer } from "../support/servers/server";
import { damageOf, withDatabase } from "../support/database/server-database";
import { openSite } from "../support/scan/site";
import { conclude, exactly, figure, introduce, type Figure } from "./support/figures";
import { makeDisk, type SmallDisk } from "./support/small-disk";

/*
 * Behaviour of a running server on a full disk, and on one that the kernel has made read-only after an error: pages stay
 * readable, forms report it and keep typed values, a running scan waits, and nothing is lost afterwards. It mounts its own
 * disks: only for root, on Linux with loop devices. Needs a build.
 *
 *   npx tsx tests/bench/bad-disk.ts
 */
const DISK_MB = 80;
/** Time for two disk checks of the server. */
const SEEN_WITHIN_MS = 35_000;
const DONE_WITHIN_MS = 90_000;
const SLOW_MS = 5_000;
const PAGE = "<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><img src=/a.png></main>";

introduce("A disk that is full, and one that turned read-only");
const figures: Figure[] = [];
await withDisk("full", (disk) => disk.fill(), (disk, server) => {
  disk.empty();
  return Promise.resolve(server);
});
// Such a disk becomes writable again only after a new mount.
await withDisk("read-only", (disk) => disk.fail(), async (disk, server, start) => {
  figures.push(exactly("read-only: exit code of a stop", (await server.stop()).code ?? -1, 0));
  disk.mountAgain();
  return start();
});
conclude(figures);

type Repair = (disk: SmallDisk, server: TestServer, start: () => Promise<TestServer>) => Promise<TestServer>;

async function withDisk(what: string, spoil: (disk: SmallDisk) => void, repair: Repair): Promise<void> {
  const disk = makeDisk(DISK_MB);
  const site = await openSite({ "/": PAGE, "/slow": (_, response) => void setTimeout(() => response.setHeader("Content-Type", "text/html").end(PAGE), SLOW_MS) });
  const dataDir = path.join(disk.folder, "data");
  const PORT = String(await freePort());
  const env = { PORT, BILLING: "off", SCAN_ALLOW_PRIVATE: "127.0.0.1", DISK_MIN_FREE_MB: "1", OPERATOR_EMAIL: "operator@example.org" };
  const start = () => startServer({ dataDir, env });
  let server = await start();
  try {
    const member = await newMember(server, { language: "en" });
    const run = (await member.post("/runs/new", { url: site.url("/slow"), scope: "page", level: "AA" })).location ?? "";
    spoil(disk);
    await look(what, server, member, run);
    server = await repair(disk, server, start);
    await afterwards(what, server, member, run);
    await server.stop();
    figures.push(exactly(`${what}: errors in the database`, (await withDatabase({ dataDir }, damageOf)).length, 0));
  } finally {
    await server.kill().catch(() => {});
    await site.close();
    disk.remove();
  }
}

async function look(what: string, server: TestServer, member: Member, run: string): Promise<void> {
  const answers = (path: string, status: number) => figures.push(exactly(`${what}: ${path}`, status, path.startsWith("GET") ? 200 : 503));
  for (const page of ["/", "/runs", "/profile/general", run]) answers(`GET ${page.replace(/\/run\/.*/, "/run/…")}`, (await member.get(page)).status);
  for (const [page, fields] of [
    ["/profile/name", { name: "Ada Typed" }],
    ["/runs/new", { url: "https://shop.example/typed", scope: "page", level: "AA" }],
  ] as const) {
    const { status, text } = await member.post(page, fields);
    answers(`POST ${page}`, status);
    figures.push(exactly(`${what}: what was typed there is kept`, Number(/value="[^"]*typed/i.test(text)), 1));
  }
  await delay(SEEN_WITHIN_MS);
  const later = await member.post("/runs/new", { url: "https://shop.example/typed", scope: "page", level: "AA" });
  answers("POST /runs/new, later", later.status);
  figures.push(exactly(`${what}: says there that the disk accepts nothing`, Number(later.text.includes("accepts nothing")), what === "full" ? 0 : 1));
  const health = await fetch(`${server.origin}/healthz`);
  figures.push(exactly(`${what}: /healthz`, health.status, 503), figure(`${what}: /healthz says`, await health.text()));
  const messages = new Map<string, number>();
  for (const { msg, level } of server.log()) if (Number(level) >= 40) messages.set(msg, (messages.get(msg) ?? 0) + 1);
  for (const [msg, count] of messages) figures.push(figure(`${what}: log`, `${count} × ${msg}`));
}

async function afterwards(what: string, { origin, dataDir }: TestServer, member: Member, run: string): Promise<void> {
  const id = run.split("/").at(-1) ?? "";
  const stored = () => withDatabase({ dataDir }, (db) => db.selectFrom("run").select(["status", "pages", "violations"]).where("id", "=", id).executeTakeFirst());
  const isOver = async () => !["queued", "running"].includes((await stored())?.status ?? "queued");
  const isWell = async () => (await fetch(`${origin}/healthz`)).status === 200;
  for (const end = Date.now() + DONE_WITHIN_MS; Date.now() < end && !((await isOver()) && (await isWell())); ) await delay(500);
  const result = await stored();
  figures.push(
    figure(`${what}, afterwards: the scan that was running`, JSON.stringify(result)),
    exactly(`${what}, afterwards: its pages`, Number(result?.status === "succeeded" ? result.pages : 0), 1),
    exactly(`${what}, afterwards: /healthz`, (await fetch(`${origin}/healthz`)).status, 200),
    exactly(`${what}, afterwards: POST /profile/name`, (await member.post("/profile/name", { name: "Ada Lovelace" })).status, 303),
  );
}
