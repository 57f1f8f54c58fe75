import { COMMAND_LINE } from "~/administration/audit-log.server";
import { createMessageOverview, type MessageOverview } from "~/administration/messages.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { WrongUsage, type Command } from "./command.server";
import { minuteOf, textTable } from "./text-table";

const MOST = 200;

export const messages: Command = {
  takes: ["", "show|delete ID"],
  does: "lists the messages of the contact form, shows the text of one, or deletes it",
  async run([subcommand, id, ...rest], { env, say, complain }) {
    const isKnown = subcommand === undefined || ((subcommand === "show" || subcommand === "delete") && id);
    if (!isKnown || rest.length > 0) throw new WrongUsage();
    const db = await openExistingDatabase(env());
    try {
      const overview = createMessageOverview({ db });
      const answer = !id ? await listOf(overview) : subcommand === "show" ? await textOf(overview, id) : await deleted(overview, id);
      if (answer === null) complain(`There is no message with the id ${id}.\n`);
      else say(answer);
      return answer !== null;
    } finally {
      await db.destroy();
    }
  },
};

async function listOf({ list }: MessageOverview): Promise<string> {
  const { messages: found, total } = await list({ offset: 0, limit: MOST });
  if (total === 0) return "There is no message.\n";
  const rows = found.map(({ id, createdAt, email, subject, postedAt }) => [id, minuteOf(createdAt), email, subject, postedAt === null ? "nobody was told" : ""]);
  const more = total > MOST ? `\nThese are ${MOST} of ${total}; the page /admin/messages has all.\n` : "";
  return textTable([["ID", "WHEN", "FROM", "SUBJECT", ""], ...rows]) + more;
}

async function textOf({ find }: MessageOverview, id: string): Promise<string | null> {
  const message = await find(id);
  if (!message) return null;
  const { createdAt, email, subject, text } = message;
  // A table has no characters that control a terminal.
  return textTable([["When", minuteOf(createdAt)], ["From", email], ["Subject", subject]]) + textTable([[""], ...text.split(/\r?\n/).map((line) => [line])]);
}

async function deleted({ remove }: MessageOverview, id: string): Promise<string | null> {
  return (await remove(COMMAND_LINE, id)) ? `The message ${id} is deleted.\n` : null;
}
