import type { Db } from "db/schema";
import type { Env } from "~/platform/env.server";
import { createBackgroundScrypt } from "~/accounts/passwords/background-scrypt.server";
import { createPasswords } from "~/accounts/passwords/passwords.server";
import { createPasskeys, type Passkeys } from "~/accounts/second-factor/passkeys.server";
import { createSecondFactors, type SecondFactors } from "~/accounts/second-factor/second-factor.server";
import { createSecretBox, type SecretBox } from "~/platform/crypto/secret-box.server";
import { writeLetter } from "~/mail/letters.server";
import { createAccounts, type Accounts, type AccountsOptions, type AllAccounts } from "~/accounts/account.server";
import { createMails, type Mails } from "~/mail/outbox.server";
import { commandRuns } from "~/server/scans/command-runs.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { secretsOf } from "~/server/storage/secrets.server";

export function accountsOf({ BASE_URL }: Env, { db, mails, runs }: Pick<AccountsOptions, "db" | "runs"> & { mails: Mails }): AllAccounts {
  const passwords = createPasswords({ scrypt: createBackgroundScrypt() });
  return createAccounts({ db, passwords, mails, runs, write: writeLetter, baseUrl: BASE_URL });
}

export function secondFactorsOf({ BASE_URL: baseUrl }: Env, sources: { db: Db; box: SecretBox; mails: Mails }): { passkeys: Passkeys; secondFactors: SecondFactors } {
  const passkeys = createPasskeys({ db: sources.db, baseUrl });
  return { passkeys, secondFactors: createSecondFactors({ ...sources, passkeys, write: writeLetter, baseUrl }) };
}

interface OpenedAccounts {
  accounts: Accounts;
  secondFactors: SecondFactors;
  close: () => Promise<void>;
}

/**
 * Opens the accounts for a command beside the server; the server sends the mails.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function openAccounts(env: Env): Promise<OpenedAccounts> {
  const db = await openExistingDatabase(env);
  const box = createSecretBox(secretsOf(env));
  const mails = createMails({ db, box });
  return { accounts: accountsOf(env, { db, mails, runs: commandRuns(env, db) }), secondFactors: secondFactorsOf(env, { db, box, mails }).secondFactors, close: () => db.destroy() };
}
