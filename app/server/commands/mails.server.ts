import { createOutboxList } from "~/mail/outbox-list.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { secretsOf } from "~/server/storage/secrets.server";
import { WrongUsage, type Command } from "./command.server";
import { minuteOf, textTable } from "./text-table";

const MOST = 200;

export const mails: Command = {
  takes: "",
  does: "lists the mails that wait or were given up, without their text",
  async run(args, { env, say }) {
    if (args.length > 0) throw new WrongUsage();
    const settings = env();
    const db = await openExistingDatabase(settings);
    try {
      const { mails: found, total } = await createOutboxList({ db, box: createSecretBox(secretsOf(settings)) }).list({ offset: 0, limit: MOST });
      const rows = found.map(({ to, subject, attempts, nextAt, error }) => [to ?? "(not readable)", subject ?? "", String(attempts), nextAt === null ? "given up" : minuteOf(nextAt), error ?? ""]);
      if (total === 0) say("No mail waits.\n");
      else say(textTable([["TO", "SUBJECT", "ATTEMPTS", "NEXT ATTEMPT", "ERROR"], ...rows]));
      if (total > MOST) say(`\nThese are ${MOST} of ${total}; the page /admin/mails has all.\n`);
      return true;
    } finally {
      await db.destroy();
    }
  },
};
