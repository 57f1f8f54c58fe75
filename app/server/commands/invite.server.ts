import { COMMAND_LINE } from "~/administration/audit-log.server";
import { INVITATION_DAYS } from "~/administration/invitations.server";
import { parseEmailAddress } from "~/platform/forms/email-address";
import { DEFAULT_LOCALE, isLocale, LOCALES } from "~/platform/i18n/i18n";
import { openAdministration } from "~/server/accounts/administration.server";
import { WrongUsage, type Command } from "./command.server";

export const invite: Command = {
  takes: `EMAIL [${LOCALES.join("|")}]`,
  does: "sends an invitation to create an account, in German if no language is given",
  async run([typed, language = DEFAULT_LOCALE, ...rest], { env, say, complain }) {
    if (!typed || !isLocale(language) || rest.length > 0) throw new WrongUsage();
    const email = parseEmailAddress(typed);
    if (email === null) {
      complain(`${typed} is not an e-mail address.\n`);
      return false;
    }
    const settings = env();
    const { invitations, close } = await openAdministration(settings);
    try {
      const isSent = (await invitations.invite(COMMAND_LINE, { email, locale: language })) === "sent";
      const place = settings.SMTP_URL ? "" : " into the folder outbox of DATA_DIR, as SMTP_URL is not set";
      if (isSent) say(`Within five minutes, the server ${place ? "writes" : "sends"} the invitation to ${email}${place}. It is valid for ${INVITATION_DAYS} days.\n`);
      else complain(`There is an account with the address ${email} already.\n`);
      return isSent;
    } finally {
      await close();
    }
  },
};
