import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** @param createdAt Unix time in ms */
interface Written {
  email: string;
  subject: string;
  text: string;
  locale: Locale;
  createdAt: number;
}

/** The mail with a message to the operator. The visitor's text comes last: none of our own text follows it. */
export function writeContactLetter({ email, subject, text, locale, createdAt }: Written): { subject: string; text: string } {
  const texts = textFile(locale, "contact").letter;
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE });
  const head = [
    texts.lead,
    "",
    `${texts.from}: ${email}`,
    `${texts.subject}: ${subject}`,
    `${texts.sent}: ${moment.format(createdAt)}`,
    "",
    `--- ${texts.message} ---`,
    "",
  ];
  return { subject: `Rampe: ${subject}`, text: `${head.join("\n")}\n${text}\n` };
}
