import { sql } from "kysely";
import type { Database, Db } from "db/schema";
import type { SecretBox } from "./secret-box.server";

/** Database column with sealed texts or null. */
export interface SealedColumn {
  table: keyof Database;
  column: string;
  /** Name of the column that identifies a row. */
  key: string;
  /** @param key value of that column */
  purposeOf(key: string): string;
}

/**
 * Seals all texts again with the first secret, so that older secrets can be removed.
 * @returns number of texts that were sealed again
 */
export async function renewSealed(db: Db, box: Pick<SecretBox, "renew">, columns: SealedColumn[]): Promise<number> {
  let count = 0;
  for (const { table, column, key, purposeOf } of columns) {
    const [from, name, id] = [sql.table(table), sql.ref(column), sql.ref(key)];
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ key: string; sealed: string }>`select ${id} as "key", ${name} as "sealed" from ${from} where ${name} is not null`.execute(trx);
      for (const row of rows) {
        const renewed = box.renew(row.sealed, purposeOf(row.key));
        if (renewed === null) continue;
        await sql`update ${from} set ${name} = ${renewed} where ${id} = ${row.key}`.execute(trx);
        count += 1;
      }
    });
  }
  return count;
}
