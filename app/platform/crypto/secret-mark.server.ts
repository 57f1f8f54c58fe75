import type { Db } from "db/schema";
import type { SecretBox } from "./secret-box.server";
import { storageTrouble } from "~/platform/storage-trouble";

const MARK = "secret mark";
const ID = 1;

/** True if the secret of the stored mark is lost: data sealed with it cannot be opened. */
export async function wasSecretLost(db: Db, box: Pick<SecretBox, "open">): Promise<boolean> {
  const mark = await db.selectFrom("secret_mark").select("sealed").where("id", "=", ID).executeTakeFirst();
  return mark !== undefined && box.open(mark.sealed, MARK) === null;
}

/** Stores a mark of the current secret, if the database can be written. All data must be sealed with that secret before. */
export async function markSecret(db: Db, box: Pick<SecretBox, "seal">): Promise<void> {
  const sealed = box.seal(MARK, MARK);
  await db
    .insertInto("secret_mark")
    .values({ id: ID, sealed })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed }))
    .execute()
    .catch((error: unknown) => {
      if (storageTrouble(error) === null) throw error;
    });
}
