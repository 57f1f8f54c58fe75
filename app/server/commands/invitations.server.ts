import { COMMAND_LINE } from "~/administration/audit-log.server";
import type { Invitation, Invitations } from "~/administration/invitations.server";
import { openAdministration } from "~/server/accounts/administration.server";
import { WrongUsage, type Command } from "./command.server";
import { minuteOf, moreThanListed, MOST_LISTED, textTable } from "./text-table";

export const invitations: Command = {
  takes: ["", "take-back ID"],
  does: "lists the invitations, the latest first, or takes one back: its link ends",
  async run([subcommand, id, ...rest], { env, say, complain }) {
    const isKnown = subcommand === undefined || (subcommand === "take-back" && id);
    if (!isKnown || rest.length > 0) throw new WrongUsage();
    const administration = await openAdministration(env());
    try {
      if (!id) {
        say(await listOf(administration.invitations));
        return true;
      }
      const isDone = await administration.invitations.takeBack(COMMAND_LINE, id);
      if (isDone) say(`The invitation ${id} is taken back.\n`);
      else complain(`No invitation with the id ${id} is open.\n`);
      return isDone;
    } finally {
      await administration.close();
    }
  },
};

async function listOf({ list }: Invitations): Promise<string> {
  const { invitations: found, total } = await list({ offset: 0, limit: MOST_LISTED });
  if (total === 0) return "There is no invitation.\n";
  const rows = found.map((invitation) => [invitation.id, invitation.email, minuteOf(invitation.sentAt), invitation.invitedBy ?? COMMAND_LINE, stateOf(invitation)]);
  return textTable([["ID", "TO", "SENT", "BY", "STATE"], ...rows]) + moreThanListed(total, "the page /admin/invitations has");
}

function stateOf({ usedAt, expiresAt }: Invitation): string {
  if (usedAt !== null) return `used ${minuteOf(usedAt)}`;
  return expiresAt < Date.now() ? "expired" : `open until ${minuteOf(expiresAt)}`;
}
