import { createAdministrators } from "~/administration/administrators.server";
import { COMMAND_LINE } from "~/administration/audit-log.server";
import { withPerson } from "./person.server";
import { WrongUsage, type Command } from "./command.server";

export const makeAdministrator: Command = {
  takes: "EMAIL",
  does: "lets the account administer this installation, under /admin",
  async run([email, ...rest], context) {
    if (!email || rest.length > 0) throw new WrongUsage();
    return withPerson(email, context, async ({ id }, { db }) => {
      const change = await createAdministrators({ db }).setRole(COMMAND_LINE, id, true);
      context.say(change === "unchanged" ? `${email} is an administrator already.\n` : `${email} may administer this installation now, at /admin.\n`);
      return true;
    });
  },
};
