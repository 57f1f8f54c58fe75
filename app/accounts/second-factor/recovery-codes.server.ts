import type { Db, Trx } from "db/schema";
import { hashOf, readableCode } from "~/platform/crypto/tokens.server";

const CODES = 10;
/** Groups of five characters each: more than 70 random bits. */
const GROUPS = 3;

/** Replaces all recovery codes of a user. @returns the new codes, which are stored only as hashes */
export async function replaceRecoveryCodes(trx: Trx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => readableCode(GROUPS));
  await trx.deleteFrom("recovery_code").where("user_id", "=", userId).execute();
  await trx
    .insertInto("recovery_code")
    .values(codes.map((code) => ({ user_id: userId, code_hash: storedHash(code), used_at: null })))
    .execute();
  return codes;
}

/** @returns false if the code does not belong to the user, or was used before */
export async function useUpRecoveryCode(trx: Trx, userId: string, typed: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("recovery_code")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("code_hash", "=", storedHash(typed))
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Number of unused recovery codes. */
export async function recoveryCodesLeft(db: Db | Trx, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom("recovery_code")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Hash of a code, without differences of case and separators. */
const storedHash = (code: string) => hashOf(code.toLowerCase().replace(/[^a-z0-9]/g, ""));
