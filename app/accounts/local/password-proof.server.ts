import type { Db, Trx } from "db/schema";
import type { Passwords } from "~/accounts/passwords/passwords";
import { emailKey } from "~/platform/forms/email-address";

/** User id, and the hash that the password was compared with. */
export interface Proof {
  id: string;
  password: string | null;
}

/** True if this hash is still stored. */
export async function isCurrent(db: Db | Trx, { id, password }: Proof): Promise<boolean> {
  const row = await db.selectFrom("user").select("password").where("id", "=", id).executeTakeFirst();
  return row !== undefined && row.password === password;
}

/** Local account with this address; never a hosted one. */
export async function byEmail(db: Db | Trx, email: string) {
  return db
    .selectFrom("user")
    .selectAll()
    .where("email_key", "=", emailKey(email))
    .where("subject", "is", null)
    .executeTakeFirst();
}

/** Proof of a correct password; undefined for a wrong one. */
export async function proofBy({ db, passwords }: { db: Db; passwords: Passwords }, userId: string, password: string): Promise<Proof | undefined> {
  const row = await db.selectFrom("user").select(["id", "password"]).where("id", "=", userId).executeTakeFirst();
  const matches = await passwords.matches(password, row?.password ?? null);
  return row && matches ? row : undefined;
}
