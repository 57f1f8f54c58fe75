import type { Db } from "db/schema";
import type { SecretBox } from "./secret-box.server";
import { storageTrouble } from "~/platform/storage-trouble";

const MARK = "secret mark";
const ID = 1;

/**
 * Was the secret of the last start lost, so that data sealed with it cannot be opened? Stores a mark of the current secret,
 * if the database can be written.
 */
export async function wasSecretLost(db: Db, box: SecretBox): Promise<boolean> {
  const mark = await db.selectFrom("secret_mark").select("sealed").where("id", "=", ID).executeTakeFirst();
  const sealed = box.seal(MARK, MARK);
  await db
    .insertInto("secret_mark")
    .values({ id: ID, sealed })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed }))
    .execute()
    .catch((error: unknown) => {
      if (storageTrouble(error) === null) throw error;
    });
  return mark !== undefined && box.open(mark.sealed, MARK) === null;
}
