import { COMMAND_LINE } from "~/administration/audit-log.server";
import { INVITATION_DAYS } from "~/administration/invitations.server";
import { parseEmailAddress } from "~/platform/forms/email-address";
import { DEFAULT_LOCALE, isLocale } from "~/platform/i18n/i18n";
import { openAdministration } from "~/server/accounts/administration.server";
import { WrongUsage, type Command } from "./command.server";

export const invite: Command = {
  takes: "EMAIL [de|en]",
  does: "sends an invitation to create an account, in German if no language is given",
  async run([typed, language = DEFAULT_LOCALE, ...rest], { env, say, complain }) {
    if (!typed || !isLocale(language) || rest.length > 0) throw new WrongUsage();
    const email = parseEmailAddress(typed);
    if (email === null) {
      complain(`${typed} is not an e-mail address.\n`);
      return false;
    }
    const { invitations, close } = await openAdministration(env());
    try {
      const isSent = (await invitations.invite(COMMAND_LINE, { email, locale: language })) === "sent";
      if (isSent) say(`The server sends the invitation to ${email} within five minutes. It is valid for ${INVITATION_DAYS} days.\n`);
      else complain(`There is an account with the address ${email} already.\n`);
      return isSent;
    } finally {
      await close();
    }
  },
};
