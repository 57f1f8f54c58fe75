import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import SQLite from "better-sqlite3";
import { migrate } from "db/migrate.server";
import { openSqlite } from "db/sqlite.server";
import { conclude, figure, introduce, round, type Figure } from "./support/figures";
import { readOptions, sized } from "./support/options";

/*
 * Duration of an update of a large database. Copies the run of each database of an older version, with its page, and updates it to
 * the current version.
 *
 *   npx tsx tests/bench/migrate.ts [--runs N]
 *
 * One million runs by default; they need about 2 GB in the folder for temporary files.
 */
const MINUTE_SECONDS = 60;
const runs = Number(readOptions({ values: { runs: sized("1000000", "100") } }).values.runs);

introduce(`Update of databases of older versions, with ${runs} runs`);
const figures: Figure[] = [];
for (const name of ["old-database.sql", "database-0.1.0.sql"]) {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
  try {
    figures.push(...(await measure(name, path.join(folder, "rampe.db"))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
conclude(figures);

async function measure(name: string, file: string): Promise<Figure[]> {
  const raw = new SQLite(file);
  raw.exec(readFileSync(fileURLToPath(new URL(`../support/database/${name}`, import.meta.url)), "utf8"));
  const pages = multiply(raw);
  raw.close();
  const db = openSqlite(file);
  const times: [string, number][] = [];
  const began = performance.now();
  await migrate(db, ({ migration }) => times.push([migration, performance.now()]));
  const ended = performance.now();
  await db.destroy();
  const lengths = times.map(([migration, from], index) => [migration, (times[index + 1]?.[1] ?? ended) - from] as const);
  const [longest = ["none after 3 s", 0]] = lengths.sort(([, one], [, other]) => other - one);
  const seconds = (ended - began) / 1_000;
  return [
    figure(`${name}: pages`, pages),
    figure(`${name}: size, MB`, round(statSync(file).size / 1e6)),
    { what: `${name}: update, s`, measured: round(seconds), target: `below ${MINUTE_SECONDS}, or each migration told`, met: seconds < MINUTE_SECONDS || times.length > 0 },
    figure(`${name}: longest migration`, `${longest[0]}, ${round(longest[1] / 1_000)} s`),
  ];
}

/** @returns number of pages */
function multiply(raw: SQLite.Database): number {
  raw.pragma("foreign_keys = off");
  const columnsOf = (table: string) => raw.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const copy = (table: string, changed: Record<string, string>) => {
    const names = columnsOf(table).flatMap(({ name, pk }) => (pk && !(name in changed) ? [] : [name]));
    const values = names.map((name) => changed[name] ?? `"${name}"`);
    const first = `(select * from ${table} limit 1)`;
    raw.exec(`with recursive number(n) as (select 1 union all select n + 1 from number where n < ${runs})
      insert into ${table} (${names.map((column) => `"${column}"`).join(", ")}) select ${values.join(", ")} from number, ${first}`);
  };
  raw.transaction(() => {
    copy("run", { id: "'run' || n" });
    copy("page", { run_id: "'run' || n", ...(columnsOf("page").some(({ name, pk }) => name === "id" && pk) ? { id: "n + 1000000" } : {}) });
  })();
  return raw.prepare("select count(*) from page").pluck().get() as number;
}
