import { COMMAND_LINE } from "~/administration/audit-log.server";
import { createMailOverview, type MailOverview } from "~/administration/mails.server";
import { createOutboxList } from "~/mail/outbox-list.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { secretsOf } from "~/server/storage/secrets.server";
import { withDatabase, WrongUsage, type Command } from "./command.server";
import { minuteOf, moreThanListed, MOST_LISTED, textTable } from "./text-table";

export const mails: Command = {
  takes: ["", "resend|delete ID"],
  does: "lists the mails that wait or were given up, without their text; has one sent again, or deletes it",
  async run([subcommand, id, ...rest], { env, say, complain }) {
    const isKnown = subcommand === undefined || ((subcommand === "resend" || subcommand === "delete") && id);
    if (!isKnown || rest.length > 0) throw new WrongUsage();
    const settings = env();
    return withDatabase(settings, async (db) => {
      const overview = createMailOverview({ db, outbox: createOutboxList({ db, box: createSecretBox(secretsOf(settings)) }) });
      if (!id) {
        say(await listOf(overview));
        return true;
      }
      const isDone = subcommand === "resend" ? await overview.sendNow(COMMAND_LINE, id) : await overview.remove(COMMAND_LINE, id);
      if (!isDone) complain(`No mail with the id ${id} waits or was given up.\n`);
      else say(subcommand === "resend" ? `Within five minutes, the server sends the mail ${id} again.\n` : `The mail ${id} is deleted.\n`);
      return isDone;
    });
  },
};

async function listOf({ list }: MailOverview): Promise<string> {
  const { mails: found, total } = await list({ offset: 0, limit: MOST_LISTED });
  if (total === 0) return "No mail waits.\n";
  const rows = found.map(({ id, to, subject, attempts, nextAt, error }) => [id, to ?? "(not readable)", subject ?? "", String(attempts), nextAt === null ? "given up" : minuteOf(nextAt), error ?? ""]);
  return textTable([["ID", "TO", "SUBJECT", "ATTEMPTS", "NEXT ATTEMPT", "ERROR"], ...rows]) + moreThanListed(total, "the page /admin/mails has");
}
