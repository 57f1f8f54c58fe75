import { COMMAND_LINE } from "~/administration/audit-log.server";
import { WrongUsage, type Command } from "./command.server";
import { withPerson } from "./person.server";

export const makeAdministrator: Command = {
  takes: "EMAIL",
  does: "lets the account administer this installation, under /admin",
  async run([email, ...rest], context) {
    if (!email || rest.length > 0) throw new WrongUsage();
    return withPerson(email, context, async ({ id }, { personActions }) => {
      const change = await personActions.makeAdministrator(COMMAND_LINE, id);
      context.say(change === "unchanged" ? `${email} is an administrator already.\n` : `${email} may administer this installation now, at /admin.\n`);
      return true;
    });
  },
};
