import type { Db, Trx } from "db/schema";
import { parseEmailAddress, emailKey } from "~/platform/forms/email-address";
import type { SealedColumn } from "~/platform/crypto/sealed-column.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { HOUR_MS } from "~/platform/durations";
import type { LetterKind, WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { endAccess } from "~/accounts/access-grants.server";
import type { NoteReset } from "~/accounts/local/account-passwords.server";
import type { User } from "~/accounts/user.server";
import { newAppSecret, stepOf } from "./code-app.server";
import type { Passkeys } from "./passkeys.server";
import { recoveryCodesLeft, replaceRecoveryCodes, useUpRecoveryCode } from "./recovery-codes.server";

/** Lifetime of a secret that was shown, but not confirmed by a code. */
const SET_UP_MS = HOUR_MS;

export interface SecondFactorsOptions {
  db: Db;
  box: SecretBox;
  passkeys: Pick<Passkeys, "checkNew">;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
  now?: () => number;
}

export interface SecondFactorState {
  /** Unix time in ms; null without an app. */
  appSince: number | null;
  passkeys: number;
  recoveryCodesLeft: number;
}

type Recipient = Pick<User, "id" | "email" | "locale">;

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** Second factors of local accounts. The account owner gets a mail about each change. */
export function createSecondFactors({ db, box, passkeys, mails, write, baseUrl, now = Date.now }: SecondFactorsOptions) {
  return {
    ...{ hasSecondFactor, stateOf, begin, secretBeingSetUp, confirm, addPasskey, removePasskey },
    ...{ acceptsCode, acceptsRecoveryCode, renewRecoveryCodes, turnOff, resetByOperator },
  };

  /** True if sign-in to this account requires a second factor. */
  async function hasSecondFactor(userId: string): Promise<boolean> {
    return isOn(db, userId);
  }

  async function stateOf(userId: string): Promise<SecondFactorState> {
    const app = await confirmedApp(db, userId);
    return { appSince: app?.confirmed_at ?? null, passkeys: await passkeysOf(db, userId), recoveryCodesLeft: await recoveryCodesLeft(db, userId) };
  }

  /** Creates a secret for an app, without effect before `confirm`. @returns false if an app is already set up */
  async function begin(userId: string): Promise<boolean> {
    const fresh = { secret: box.seal(newAppSecret(), purposeOf(userId)), created_at: now(), last_step: 0 };
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("code_app")
      .values({ user_id: userId, confirmed_at: null, ...fresh })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(fresh).where("code_app.confirmed_at", "is", null))
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Unconfirmed secret as base32; null if there is none, or it has expired. */
  async function secretBeingSetUp(userId: string): Promise<string | null> {
    return (await beingSetUp(userId))?.secret ?? null;
  }

  async function beingSetUp(userId: string): Promise<{ secret: string; sealed: string } | null> {
    const row = await db
      .selectFrom("code_app")
      .select("secret")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is", null)
      .where("created_at", ">", now() - SET_UP_MS)
      .executeTakeFirst();
    const secret = row && box.open(row.secret, purposeOf(userId));
    return row && secret ? { secret, sealed: row.secret } : null;
  }

  /**
   * Makes the app a second factor, if the code is correct.
   * @returns recovery codes for the first second factor, else an empty list; null for a wrong code
   */
  async function confirm(user: Recipient, code: string): Promise<string[] | null> {
    const app = await beingSetUp(user.id);
    const step = app && stepOf(app.secret, code, now());
    if (step === null) return null;
    return db.transaction().execute(async (trx) => {
      const wasOn = await isOn(trx, user.id);
      const { numUpdatedRows } = await trx
        .updateTable("code_app")
        .set({ confirmed_at: now(), last_step: step })
        .where("user_id", "=", user.id)
        // Another tab may have replaced the secret by a new one, which no app has.
        .where("secret", "=", app?.sealed ?? "")
        .where("confirmed_at", "is", null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return null;
      await post(trx, "second_factor_on", user);
      return wasOn ? [] : replaceRecoveryCodes(trx, user.id);
    });
  }

  /**
   * @param answer the browser's answer to a challenge of `optionsToAdd`
   * @returns same as `confirm`; null for an answer that is not accepted
   */
  async function addPasskey(user: Recipient, answer: string, name: string): Promise<string[] | null> {
    const store = await passkeys.checkNew(user.id, answer, name);
    if (!store) return null;
    return db.transaction().execute(async (trx) => {
      const wasOn = await isOn(trx, user.id);
      await store(trx);
      await post(trx, "passkey_added", user, { name });
      return wasOn ? [] : replaceRecoveryCodes(trx, user.id);
    });
  }

  /** @returns "last" for the only second factor, which must be turned off with a code; "gone" for a missing passkey */
  async function removePasskey(user: Recipient, id: string): Promise<"removed" | "last" | "gone"> {
    return db.transaction().execute(async (trx) => {
      const found = await trx.selectFrom("passkey").select("name").where("user_id", "=", user.id).where("id", "=", id).executeTakeFirst();
      if (!found) return "gone";
      if ((await passkeysOf(trx, user.id)) === 1 && !(await confirmedApp(trx, user.id))) return "last";
      await trx.deleteFrom("passkey").where("user_id", "=", user.id).where("id", "=", id).execute();
      await post(trx, "passkey_removed", user, { name: found.name });
      return "removed";
    });
  }

  /** Checks a code of an app. Each code is accepted once. */
  async function acceptsCode(userId: string, code: string): Promise<boolean> {
    const app = await confirmedApp(db, userId);
    const secret = app ? box.open(app.secret, purposeOf(userId)) : null;
    const step = secret === null ? null : stepOf(secret, code, now());
    if (step === null) return false;
    const { numUpdatedRows } = await db
      .updateTable("code_app")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Checks a recovery code. Each code is accepted once; the account owner gets a mail about it. */
  async function acceptsRecoveryCode(user: Recipient, code: string): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      if (!(await useUpRecoveryCode(trx, user.id, code, now()))) return false;
      await post(trx, "recovery_code_used", user, { left: String(await recoveryCodesLeft(trx, user.id)) });
      return true;
    });
  }

  /** Creates new recovery codes; the old ones end. */
  async function renewRecoveryCodes(user: Recipient): Promise<string[]> {
    return db.transaction().execute(async (trx) => {
      await post(trx, "recovery_codes_renewed", user);
      return replaceRecoveryCodes(trx, user.id);
    });
  }

  async function turnOff(user: Recipient): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await remove(trx, user.id);
      await post(trx, "second_factor_off", user);
    });
  }

  /**
   * Removes the second factor of a user who has lost it, and signs them out everywhere. For the operator, on the server.
   * @param note records the action in the same transaction
   * @returns false if no account with this address has a second factor
   */
  async function resetByOperator(typed: string, note: NoteReset = async () => {}): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const user = await trx
        .selectFrom("user")
        .select(["id", "email", "locale"])
        .where("email_key", "=", emailKey(parseEmailAddress(typed) ?? typed))
        .where("subject", "is", null)
        .executeTakeFirst();
      if (!user || !(await isOn(trx, user.id))) return false;
      await remove(trx, user.id);
      await endAccess(trx, user.id);
      await post(trx, "second_factor_reset", user);
      await note(trx, user);
      return true;
    });
  }

  async function post(trx: Trx, kind: LetterKind, { email, locale }: Recipient, values: Record<string, string> = {}): Promise<void> {
    const all = { link: `${baseUrl}/account/second-factor`, reset: `${baseUrl}/forgot-password`, contact: `${baseUrl}/contact`, ...values };
    await mails.post(trx, { to: email, ...write(kind, locale, all) });
  }
}

async function confirmedApp(db: Db | Trx, userId: string) {
  return db.selectFrom("code_app").selectAll().where("user_id", "=", userId).where("confirmed_at", "is not", null).executeTakeFirst();
}

async function passkeysOf(db: Db | Trx, userId: string): Promise<number> {
  return (await db.selectFrom("passkey").select("id").where("user_id", "=", userId).execute()).length;
}

async function isOn(db: Db | Trx, userId: string): Promise<boolean> {
  return (await confirmedApp(db, userId)) !== undefined || (await passkeysOf(db, userId)) > 0;
}

async function remove(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("passkey").where("user_id", "=", userId).execute();
  await trx.deleteFrom("code_app").where("user_id", "=", userId).execute();
  await trx.deleteFrom("recovery_code").where("user_id", "=", userId).execute();
  await trx.deleteFrom("pending_sign_in").where("user_id", "=", userId).execute();
}

const purposeOf = (userId: string) => `code app ${userId}`;

export const SEALED_CODE_APPS: SealedColumn = { table: "code_app", column: "secret", key: "user_id", purposeOf };
