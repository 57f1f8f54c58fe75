import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { SEALED } from "~/server/storage/renew-sealed.server";
import { signIn, visitorOf } from "../support/accounts";
import { finishedRun } from "../support/finished-runs";
import { checkedPage } from "../support/page-results";
import { codeOf, newTwoFactorMember } from "../support/second-factor";
import { startServer } from "../support/server";

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
  await server.stop();

  server = await start([NEW, OLD]);
  expect(await isSignedIn(server, ada.cookie)).toBe(true);
  await server.logged(({ msg }) => msg === "what older secrets had sealed is sealed with the first one now");
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
    if (["schedule", "code_app"].includes(table)) expect(rows, table).not.toEqual([]);
    for (const row of rows) expect(box.open(row.sealed, purposeOf(row.key)), table).not.toBeNull();
  }
  const known = [...SEALED, MARK].map(({ table, column }) => `${table}.${column}`);
  for (const column of await sealedColumns(db)) expect(known).toContain(column);
  await server.stop();
});

async function isSignedIn({ origin }: { origin: string }, cookie: string): Promise<boolean> {
  return (await fetch(`${origin}/profile/general`, { headers: { Cookie: cookie }, redirect: "manual" })).status === 200;
}

/** Columns with texts as a secret box makes them. */
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
