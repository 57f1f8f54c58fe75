import type { Db, Trx } from "db/schema";
import type { User } from "~/accounts/user.server";
import { noteAudit, type Actor } from "./audit-log.server";

/** `unchanged`: it already had this role; `last`: the only administrator; `unconfirmed`: unconfirmed address; `disabled`: blocked account. */
export type RoleChange = "done" | "unchanged" | "last" | "unconfirmed" | "disabled" | "unknown";

interface RoleOptions extends SignInMode {
  /** Accepts unconfirmed accounts: only the operator has the link of the start. */
  alsoUnconfirmed?: boolean;
}

/** Way to sign in; accounts of the other kind cannot be used. */
export interface SignInMode {
  /** Whether people sign in at the provider, not with a password stored here. */
  hosted: boolean;
}

export type Administrators = ReturnType<typeof createAdministrators>;

/** Administrators of this installation. */
export function createAdministrators({ db, hosted }: SignInMode & { db: Db }) {
  return {
    /** Whether any administrator can sign in. */
    exist: () => haveAny(db, { hosted }),

    /** Whether this is the only administrator, while other accounts exist. */
    async isLast({ id, isAdministrator }: Pick<User, "id" | "isAdministrator">, on: Db | Trx = db): Promise<boolean> {
      if (!isAdministrator || (await haveAny(on, { hosted, exceptId: id }))) return false;
      return (await on.selectFrom("user").select("id").where("id", "!=", id).executeTakeFirst()) !== undefined;
    },

    setRole(actor: Actor, userId: string, wanted: boolean): Promise<RoleChange> {
      return db.transaction().execute((trx) => setRole(trx, actor, userId, wanted, { hosted }));
    },
  };
}

export async function haveAny(db: Db | Trx, { hosted, exceptId = "" }: SignInMode & { exceptId?: string }): Promise<boolean> {
  const other = await db
    .selectFrom("user")
    .select("id")
    .where("administrator", "=", 1)
    .where("disabled_at", "is", null)
    .where("subject", hosted ? "is not" : "is", null)
    .where("id", "!=", exceptId)
    .executeTakeFirst();
  return other !== undefined;
}

export async function setRole(trx: Trx, actor: Actor, userId: string, wanted: boolean, { hosted, alsoUnconfirmed = false }: RoleOptions): Promise<RoleChange> {
  const person = await trx.selectFrom("user").select(["id", "email", "email_verified", "administrator", "disabled_at"]).where("id", "=", userId).executeTakeFirst();
  if (!person) return "unknown";
  if ((person.administrator === 1) === wanted) return "unchanged";
  if (wanted && person.disabled_at !== null) return "disabled";
  if (wanted && person.email_verified !== 1 && !alsoUnconfirmed) return "unconfirmed";
  if (!wanted && !(await haveAny(trx, { hosted, exceptId: userId }))) return "last";
  await trx.updateTable("user").set({ administrator: wanted ? 1 : 0 }).where("id", "=", userId).execute();
  await noteAudit(trx, { actor, action: wanted ? "administrator_made" : "administrator_removed", subject: person });
  return "done";
}
