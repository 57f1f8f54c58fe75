import { COMMAND_LINE } from "~/administration/audit-log.server";
import { WrongUsage, type Command } from "./command.server";
import { withScans } from "./scans.server";

export const cancel: Command = {
  takes: "ID",
  does: "cancels a scan that runs or waits, of anybody; its results so far stay",
  async run([id, ...rest], { env, say, complain }) {
    if (!id || rest.length > 0) throw new WrongUsage();
    return withScans(env(), async (scans) => {
      const isDone = (await scans.change(COMMAND_LINE, "cancel", [id])) > 0;
      if (isDone) say(`The scan ${id} is canceled.\n`);
      else complain(`No scan with the id ${id} runs or waits.\n`);
      return isDone;
    });
  },
};
