import type { Db } from "db/schema";
import type { SecretBox } from "~/lib/secret-box.server";

const MARK = "secret mark";
const ID = 1;

/**
 * Has the secret of the last start been lost, so that nothing opens any more that was sealed with it? Leaves a mark of the
 * present one.
 */
export function wasSecretLost(db: Db, box: SecretBox): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const mark = await trx.selectFrom("secret_mark").select("sealed").where("id", "=", ID).executeTakeFirst();
    const sealed = box.seal(MARK, MARK);
    await trx
      .insertInto("secret_mark")
      .values({ id: ID, sealed })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed }))
      .execute();
    return mark !== undefined && box.open(mark.sealed, MARK) === null;
  });
}
