import type { User } from "~/accounts/user.server";
import { emailKey, parseEmailAddress } from "~/platform/forms/email-address";
import { openAdministration, type AdministrationServices } from "~/server/accounts/administration.server";
import type { CommandContext } from "./command.server";

/**
 * Opens the administration, does work on the account of an address, and closes it.
 * @returns false if no account or several accounts have the address, after a message
 */
export async function withPerson(
  typed: string,
  { env, complain }: CommandContext,
  work: (person: User, administration: AdministrationServices) => Promise<boolean>,
): Promise<boolean> {
  const email = parseEmailAddress(typed) ?? typed;
  const { close, ...administration } = await openAdministration(env());
  try {
    const [person, ...others] = await administration.people.byEmail(emailKey(email));
    if (person && others.length === 0) return await work(person, administration);
    complain(person ? `Several accounts of this installation have the address ${email}: use the pages under /admin.\n` : `No account of this installation has the address ${email}.\n`);
    return false;
  } finally {
    await close();
  }
}
