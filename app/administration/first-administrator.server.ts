import type { Db, Trx } from "db/schema";
import type { AdmissionLinks } from "~/accounts/registration.server";
import type { User } from "~/accounts/user.server";
import { hashOf, randomToken } from "~/platform/crypto/tokens.server";
import { haveAny, setRole, type SignInMode } from "./administrators.server";

const FIRST_ADMINISTRATOR_PATH = "/admin/first";

export type FirstAdministrator = ReturnType<typeof createFirstAdministrator>;

/** Link that makes the first administrator. The operator reads it in the output of the server. */
export function createFirstAdministrator({ db, hosted }: SignInMode & { db: Db }) {
  return {
    /** Creates the link of this start; earlier links become invalid. @returns path and query; null if there is an administrator */
    async newLink(): Promise<string | null> {
      const token = randomToken();
      return db.transaction().execute(async (trx) => {
        await dropLink(trx);
        if (await haveAny(trx, { hosted })) return null;
        await trx.insertInto("first_administrator_link").values({ token_hash: hashOf(token), created_at: Date.now() }).execute();
        return `${FIRST_ADMINISTRATOR_PATH}?token=${token}`;
      });
    },

    isValid: (token: string) => isValid(db, token, { hosted }),

    /** Permission to create accounts with the link while it is valid. */
    admissions: {
      path: FIRST_ADMINISTRATOR_PATH,
      find: async (token) => ((await isValid(db, token, { hosted })) ? { email: null, redeem: async () => true } : undefined),
    } satisfies AdmissionLinks,

    /** Makes the user an administrator, once. @returns false if the link is used, or an administrator exists by now */
    async redeem(token: string, user: User): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        if (!(await isValid(trx, token, { hosted }))) return false;
        await dropLink(trx);
        return (await setRole(trx, user, user.id, true, { hosted, alsoUnconfirmed: true })) === "done";
      });
    },
  };
}

async function isValid(db: Db | Trx, token: string, mode: SignInMode): Promise<boolean> {
  const link = await db.selectFrom("first_administrator_link").select("created_at").where("token_hash", "=", hashOf(token)).executeTakeFirst();
  return link !== undefined && !(await haveAny(db, mode));
}

async function dropLink(trx: Trx): Promise<void> {
  await trx.deleteFrom("first_administrator_link").execute();
}
