import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import { createBackgroundScrypt } from "~/accounts/passwords/background-scrypt.server";
import { createPasswords } from "~/accounts/passwords/passwords.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { writeLetter } from "~/mail/letters.server";
import { createAccounts, type Accounts, type AllAccounts } from "~/accounts/account.server";
import { createMails, type Mails } from "~/mail/outbox.server";
import { openExistingDatabase } from "./database.server";
import { secretsOf } from "./secrets.server";

export function accountsOf({ BASE_URL }: Env, db: Db, mails: Mails): AllAccounts {
  const passwords = createPasswords({ scrypt: createBackgroundScrypt() });
  return createAccounts({ db, passwords, mails, write: writeLetter, baseUrl: BASE_URL });
}

/**
 * Accounts only, for a command beside the server; the server sends the mails.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function openAccounts(env: Env): Promise<{ accounts: Accounts; close: () => Promise<void> }> {
  const db = await openExistingDatabase(env);
  const box = createSecretBox(secretsOf(env));
  return { accounts: accountsOf(env, db, createMails({ db, box })), close: () => db.destroy() };
}
