import { COMMAND_LINE } from "~/administration/audit-log.server";
import { WrongUsage, type Command } from "./command.server";
import { REFUSALS } from "./people.server";
import { withPerson } from "./person.server";

export const makeAdministrator: Command = {
  takes: "EMAIL",
  does: "lets an account with a confirmed address administer this installation, under /admin",
  async run([email, ...rest], context) {
    if (!email || rest.length > 0) throw new WrongUsage();
    return withPerson(email, context, async ({ id }, { personActions }) => {
      const change = await personActions.makeAdministrator(COMMAND_LINE, id);
      if (change === "done") context.say(`${email} may administer this installation now, at /admin.\n`);
      else if (change === "unchanged") context.say(`${email} is an administrator already.\n`);
      else context.complain(`${REFUSALS[change]}\n`);
      return change === "done" || change === "unchanged";
    });
  },
};
