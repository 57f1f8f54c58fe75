import { COMMAND_LINE } from "~/administration/audit-log.server";
import { createMessageOverview, type MessageOverview } from "~/administration/messages.server";
import { withDatabase, WrongUsage, type Command } from "./command.server";
import { minuteOf, moreThanListed, MOST_LISTED, textTable } from "./text-table";

export const messages: Command = {
  takes: ["", "show|delete ID"],
  does: "lists the messages of the contact form, shows the text of one, or deletes it",
  async run([subcommand, id, ...rest], { env, say, complain }) {
    const isKnown = subcommand === undefined || ((subcommand === "show" || subcommand === "delete") && id);
    if (!isKnown || rest.length > 0) throw new WrongUsage();
    return withDatabase(env(), async (db) => {
      const overview = createMessageOverview({ db });
      const answer = !id ? await listOf(overview) : subcommand === "show" ? await textOf(overview, id) : await deleted(overview, id);
      if (answer === null) complain(`There is no message with the id ${id}.\n`);
      else say(answer);
      return answer !== null;
    });
  },
};

async function listOf({ list }: MessageOverview): Promise<string> {
  const { messages: found, total } = await list({ offset: 0, limit: MOST_LISTED });
  if (total === 0) return "There is no message.\n";
  const rows = found.map(({ id, createdAt, email, subject, postedAt }) => [id, minuteOf(createdAt), email, subject, postedAt === null ? "nobody was told" : ""]);
  return textTable([["ID", "WHEN", "FROM", "SUBJECT", ""], ...rows]) + moreThanListed(total, "the page /admin/messages has");
}

async function textOf({ find }: MessageOverview, id: string): Promise<string | null> {
  const message = await find(id);
  if (!message) return null;
  const { createdAt, email, subject, text } = message;
  // In a table, because it removes characters that control a terminal.
  return textTable([["When", minuteOf(createdAt)], ["From", email], ["Subject", subject]]) + textTable([[""], ...text.split(/\r?\n/).map((line) => [line])]);
}

async function deleted({ remove }: MessageOverview, id: string): Promise<string | null> {
  return (await remove(COMMAND_LINE, id)) ? `The message ${id} is deleted.\n` : null;
}
