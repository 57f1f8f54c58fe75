import type { Db } from "db/schema";
import type { User } from "~/accounts/user.server";
import { createPeople } from "~/administration/people.server";
import { emailKey, parseEmailAddress } from "~/platform/forms/email-address";
import { openExistingDatabase } from "~/server/database.server";
import type { CommandContext } from "./command.server";

/**
 * Opens the database for work on the account of an address, and closes it.
 * @returns false if no account has the address, or several have; that has been said
 */
export async function withPerson(typed: string, { env, complain }: CommandContext, work: (person: User, opened: { db: Db }) => Promise<boolean>): Promise<boolean> {
  const email = parseEmailAddress(typed) ?? typed;
  const db = await openExistingDatabase(env());
  try {
    const [person, ...others] = await createPeople({ db }).byEmail(emailKey(email));
    if (person && others.length === 0) return await work(person, { db });
    complain(person ? `Several accounts of this installation have the address ${email}: use the pages under /admin.\n` : `No account of this installation has the address ${email}.\n`);
    return false;
  } finally {
    await db.destroy();
  }
}
