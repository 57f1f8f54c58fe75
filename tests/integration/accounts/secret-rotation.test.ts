import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { SEALED } from "~/server/storage/renew-sealed.server";
import { signIn, visitorOf } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage } from "../../support/database/page-results";
import { codeOf, newTwoFactorMember } from "../../support/accounts/second-factor";
import { startServer } from "../../support/servers/server";

const OLD = "the secret that others came to know";
const NEW = "the new secret that takes its place";
const MARK = { table: "secret_mark", column: "sealed" };

test("a secret is replaced: after one start with both, the old one can go, and only sign-ins are lost", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-secret-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const start = (secrets: string[]) => startServer({ dataDir, browser: false, env: { BILLING: "off", SESSION_SECRET: secrets.join(",") } });

  let server = await start([OLD]);
  const ada = await newTwoFactorMember(server);
  await finishedRun(await server.database(), [checkedPage({ url: "https://shop.example/" })], { owner: ada.id, at: Date.now() });
  const access = { accessUser: "guest", accessPassword: "open sesame" };
  expect((await ada.post("/websites/shop.example", { every: "day", hour: "4", ...access })).status).toBe(303);
  await fillSealed(await server.database());
  await server.stop();

  server = await start([NEW, OLD]);
  expect(await isSignedIn(server, ada.cookie)).toBe(true);
  await server.logged(({ msg }) => msg === "all that is stored encrypted is so with the first secret: older ones can be removed");
  await server.stop();

  server = await start([NEW]);
  const db = await server.database();
  expect(await isSignedIn(server, ada.cookie)).toBe(false);
  const browser = visitorOf(server);
  expect((await signIn(browser, ada.person)).location).toContain("/login/second-factor");
  expect((await browser.post("/login/second-factor", { code: codeOf(ada.secret, 1) })).status).toBe(303);
  expect((await browser.get("/websites/shop.example")).text).toContain("Es sind Zugangsdaten gespeichert");
  const box = createSecretBox([NEW]);
  for (const { table, column, key, purposeOf } of SEALED) {
    const { rows } = await sql<{ key: string; sealed: string }>`select ${sql.ref(key)} as "key", ${sql.ref(column)} as "sealed" from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db);
    expect(rows, `${table}.${column}`).not.toEqual([]);
    for (const row of rows) expect(box.open(row.sealed, purposeOf(row.key)), table).not.toBeNull();
  }
  const known = [...SEALED, MARK].map(({ table, column }) => `${table}.${column}`);
  for (const column of await sealedColumns(db)) expect(known).toContain(column);
  await server.stop();
});

/** Adds an encrypted text to each column that has none. */
async function fillSealed(db: Db): Promise<void> {
  const box = createSecretBox([OLD]);
  const at = Date.now();
  await db.insertInto("mail").values({ id: "given up", sealed: box.seal("{}", "mail given up"), created_at: at, run_at: at, given_up_at: at }).execute();
  await db.insertInto("session").values({ id_hash: "of a guest", created_at: at, seen_at: at, expires_at: at + 3_600_000 }).execute();
  for (const { table, column, key, purposeOf } of SEALED.filter(({ table }) => table === "run" || table === "session")) {
    const { rows } = await sql<{ key: string }>`select ${sql.ref(key)} as "key" from ${sql.table(table)} where ${sql.ref(column)} is null`.execute(db);
    const [row] = table === "session" ? [{ key: "of a guest" }] : rows;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${box.seal("{}", purposeOf(row?.key ?? ""))} where ${sql.ref(key)} = ${row?.key}`.execute(db);
  }
}

async function isSignedIn({ origin }: { origin: string }, cookie: string): Promise<boolean> {
  return (await fetch(`${origin}/profile/general`, { headers: { Cookie: cookie }, redirect: "manual" })).status === 200;
}

/** Columns with texts encrypted by a secret box. */
async function sealedColumns(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { name, columns } of await db.introspection.getTables()) {
    const rows = (await db.selectFrom(name as "run").selectAll().execute()) as Record<string, unknown>[];
    for (const column of columns) {
      if (rows.some((row) => /^1\.[\w-]{38,}$/.test(String(row[column.name])))) found.push(`${name}.${column.name}`);
    }
  }
  return found;
}
