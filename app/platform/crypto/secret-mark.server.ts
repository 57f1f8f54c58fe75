import type { Db } from "db/schema";
import type { SecretBox } from "./secret-box.server";
import { storageTrouble } from "~/platform/storage-trouble";

const MARK = "secret mark";
const ID = 1;

/**
 * Has the secret of the last start been lost, so that nothing opens any more that was sealed with it? Leaves a mark of the
 * present one, as far as anything can be written.
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
