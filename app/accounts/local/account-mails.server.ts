import type { Trx } from "db/schema";
import { createLink, type Purpose } from "~/accounts/link.server";
import type { LetterKind, WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import type { Locale } from "~/platform/i18n/i18n";

export interface AccountMailsOptions {
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
}

export type AccountMails = ReturnType<typeof createAccountMails>;

/** Mails about local accounts, and the links in them. */
export function createAccountMails({ mails, write, baseUrl }: AccountMailsOptions) {
  const waysIn = { link: `${baseUrl}/login`, reset: `${baseUrl}/forgot-password` };
  return { post, link, waysIn, contact: `${baseUrl}/contact`, baseUrl };

  async function post(trx: Trx, kind: LetterKind, to: string, locale: Locale, values: Record<string, string>) {
    await mails.post(trx, { to, ...write(kind, locale, values) });
  }

  async function link(trx: Trx, userId: string, purpose: Purpose, email: string): Promise<string> {
    return baseUrl + (await createLink(trx, userId, purpose, email));
  }
}
