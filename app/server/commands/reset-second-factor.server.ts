import { COMMAND_LINE, noteAudit } from "~/administration/audit-log.server";
import { openAccounts } from "~/server/accounts/accounts.server";
import { WrongUsage, type Command } from "./command.server";

export const resetSecondFactor: Command = {
  takes: "EMAIL",
  does: "turns two-factor sign-in off for a person who has lost app and recovery codes, and signs them out everywhere",
  async run([email, ...rest], { env, say, complain }) {
    if (!email || rest.length > 0) throw new WrongUsage();
    const { secondFactors, close } = await openAccounts(env());
    try {
      const isReset = await secondFactors.resetByOperator(email, (trx, subject) => noteAudit(trx, { actor: COMMAND_LINE, action: "second_factor_reset", subject }));
      if (isReset) say(`Two-factor sign-in is off for ${email}; the person is told by mail.\n`);
      else complain(`No account of this installation has the address ${email} and two-factor sign-in.\n`);
      return isReset;
    } finally {
      await close();
    }
  },
};
