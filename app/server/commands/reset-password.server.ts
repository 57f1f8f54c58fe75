import { COMMAND_LINE, noteAudit } from "~/administration/audit-log.server";
import { openAccounts } from "~/server/accounts/accounts.server";
import { WrongUsage, type Command } from "./command.server";

export const resetPassword: Command = {
  takes: "EMAIL",
  does: "gives the account a new password, says it, and signs the person out everywhere",
  async run([email, ...rest], { env, say, complain }) {
    if (!email || rest.length > 0) throw new WrongUsage();
    const { accounts, close } = await openAccounts(env());
    try {
      const password = await accounts.resetByOperator(email, (trx, subject) => noteAudit(trx, { actor: COMMAND_LINE, action: "password_reset", subject }));
      if (password === null) complain(`No account of this installation has the address ${email}.\n`);
      else say(`The new password of ${email} is\n\n  ${password}\n\nPlease have it changed after the next log-in.\n`);
      return password !== null;
    } finally {
      await close();
    }
  },
};
