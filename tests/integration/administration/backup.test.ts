import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import { newMember, newPerson, signIn, visitorOf } from "../../support/accounts/accounts";
import { freshFolder } from "../../support/servers/fresh-folder";
import { runAdmin } from "../../support/servers/run-admin";
import { storedReport } from "../../support/database/finished-runs";
import { mailsTo, mailTo } from "../../support/servers/outbox";
import { startServer, type TestServer } from "../../support/servers/server";
import { databaseOf } from "../../support/database/server-database";

const env = { BASE_URL: "http://rampe.test", TRUST_PROXY: "1", TRIAL_SCANS: "5" };

/** All rows of every table, in the order of their content. */
async function rowsOf(db: Db): Promise<Map<string, string[]>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const rows = await Promise.all(tables.map(async ({ name }) => [name, await db.selectFrom(name as "run").selectAll().execute()] as const));
  return new Map(rows.map(([name, all]) => [name, all.map((row) => JSON.stringify(row)).sort()]));
}

/** Whether each product of the cashier has been announced, and the number of unhandled events. */
async function announced(server: TestServer): Promise<{ products: boolean; open: number }> {
  const events = await (await server.database()).selectFrom("billing_event").select(["type", "handled_at"]).execute();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const [products, prices] = [count("product.created"), count("price.created")];
  return { products: prices > 0 && products >= 3, open: events.filter(({ handled_at }) => handled_at === null).length };
}

test("a killed and deleted installation is restored: every row, the sessions, the mails", async () => {
  const folder = freshFolder();
  const dataDir = path.join(folder, "data");
  const keyFile = path.join(folder, "key");
  writeFileSync(keyFile, "a key that is long enough for the test");
  const archive = path.join(folder, "archive");
  const server = await startServer({ dataDir, env, browser: false });
  const member = await newMember(server);
  await mailTo(dataDir, member.person.email, "verify");
  const report = await storedReport(await server.database(), member, "https://shop.example/", ["one", "two"]);
  // The row of a mail is deleted a moment after its file exists.
  await expect.poll(async () => (await (await server.database()).selectFrom("mail").selectAll().execute()).length).toBe(0);
  // The new cashier announces its prices.
  await expect.poll(() => announced(server)).toEqual({ products: true, open: 0 });
  const before = await rowsOf(await server.database());
  const mails = mailsTo(dataDir, member.person.email);

  const settings = { ...env, DATA_DIR: dataDir, BACKUP_KEY_FILE: keyFile };
  const made = await runAdmin(["backup", archive], settings);
  expect(made).toEqual({ status: 0, out: expect.stringMatching(/archive holds \d+ files/) as unknown, err: "" });
  await server.kill();
  rmSync(dataDir, { recursive: true });

  expect(await runAdmin(["restore", archive], { ...settings, BACKUP_KEY_FILE: "" })).toMatchObject({ status: 1, err: expect.stringContaining("is encrypted") as unknown });
  const restored = await runAdmin(["restore", archive], settings);
  expect(restored).toEqual({ status: 0, out: expect.stringContaining("Start the server now") as unknown, err: "" });
  const db = await databaseOf({ dataDir });
  const after = await rowsOf(db);
  await db.destroy();
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect(after.size).toBeGreaterThan(30);
  // `probe` changes: the server checks the disk continuously.
  for (const [name, rows] of before) if (name !== "probe" && name !== "audit_entry") expect(after.get(name), name).toEqual(rows);
  expect(after.get("audit_entry")).toEqual([...(before.get("audit_entry") ?? []), expect.stringContaining("backup_restored")]);
  expect(after.get("user")).toHaveLength(1);
  expect(mailsTo(dataDir, member.person.email)).toEqual(mails);
  expect(existsSync(path.join(dataDir, "cashier.db"))).toBe(true);

  const next = await startServer({ dataDir, env, browser: false });
  onTestFinished(() => next.kill());
  const again = visitorOf(next);
  for (const [name, value] of member.cookies) again.cookies.set(name, value);
  expect((await again.get("/profile/general")).status, "the old session is still signed in").toBe(200);
  expect((await again.get(report)).status).toBe(200);
  expect((await signIn(visitorOf(next), member.person)).status).toBe(303);
  expect((await newMember(next, { person: newPerson() })).id).not.toBe(member.id);
  expect(next.log().filter(({ level }) => (level as number) >= 40).map(({ msg }) => msg).join("\n")).not.toContain("secret");
  expect(await runAdmin(["restore", archive], settings), "never over what is there").toMatchObject({ status: 1, err: expect.stringContaining("is not empty") as unknown });
});

test("the running server makes an archive if there is none of the last day", async () => {
  const folder = freshFolder();
  const backups = path.join(folder, "backups");
  const server = await startServer({ env: { ...env, BACKUP_DIR: backups, BACKUP_KEEP: "2" }, browser: false });
  const { file } = await server.logged(({ msg }) => msg === "a backup was made");
  expect(readdirSync(backups)).toEqual([path.basename(file as string)]);
  expect(await (await fetch(`${server.origin}/healthz`)).json()).toMatchObject({ database: "ok", backup: "ok" });
  const settings = { ...env, DATA_DIR: server.dataDir, BACKUP_KEEP: "2" };
  const sizes: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    // File names have a resolution of seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await runAdmin(["backup", "--to", backups], settings)).status).toBe(0);
    sizes.push(readdirSync(backups).length);
  }
  expect(sizes).toEqual([2, 2, 2]);
  expect(readdirSync(backups)).not.toContain(path.basename(file as string));
  expect((await server.stop()).code).toBe(0);
});

test("a server that cannot make a backup says so and goes on", async () => {
  const folder = freshFolder();
  writeFileSync(path.join(folder, "cashier.db"), "damaged".repeat(100));
  const server = await startServer({ dataDir: folder, env: { ...env, BILLING: "off", BACKUP_DIR: path.join(folder, "backups") }, browser: false });
  onTestFinished(() => server.kill());
  await server.logged(({ msg }) => msg === "no backup could be made");
  const health = await fetch(`${server.origin}/healthz`);
  expect(await health.json()).toMatchObject({ database: "ok", disk: "ok", backup: "failed" });
  expect((await fetch(server.origin)).status).toBe(200);
  expect(readdirSync(path.join(folder, "backups"))).toEqual([]);
});

test("the programs say their version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(await runAdmin(["--version"], {})).toEqual({ status: 0, out: `Rampe ${version}\n`, err: "" });
  expect(execFileSync(process.execPath, ["scripts/start.mjs", "--version"], { encoding: "utf8" })).toBe(`Rampe ${version}\n`);
  // Without prestart, which would build again: other tests use this build.
  const npmStart = ["start", "--silent", "--ignore-scripts", "--", "--version"];
  expect(execFileSync("npm", npmStart, { encoding: "utf8", env: { ...process.env, DATA_DIR: "/dev/null/data" } })).toBe(`Rampe ${version}\n`);
});

test("a wrong call shows how to call it, or what is missing", async () => {
  for (const args of [["backup"], ["backup", "a", "b"], ["restore"]]) {
    const { status, err } = await runAdmin(args, { DATA_DIR: freshFolder() });
    expect([status, err]).toEqual([1, expect.stringMatching(/^Usage: npm run admin -- COMMAND\n\n {2}(backup FILE|restore FILE)/)]);
  }
  const none = await runAdmin(["backup", "/tmp/nothing"], { DATA_DIR: freshFolder() });
  expect([none.status, none.err]).toEqual([1, expect.stringMatching(/^There is no database at /)]);
});
