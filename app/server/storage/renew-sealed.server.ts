import type { Logger } from "pino";
import type { Db } from "db/schema";
import { SEALED_CODE_APPS } from "~/accounts/second-factor/second-factor.server";
import { SEALED_IN_SESSIONS } from "~/accounts/session.server";
import { SEALED_MAILS } from "~/mail/outbox.server";
import { SCHEDULE_ACCESS } from "~/monitoring/schedule-access.server";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { renewSealed } from "~/platform/crypto/sealed-column.server";
import { storageTrouble } from "~/platform/storage-trouble";
import { RUN_ACCESS } from "~/runs/stored-access.server";

/** All columns with sealed data. */
export const SEALED = [RUN_ACCESS, SCHEDULE_ACCESS, SEALED_CODE_APPS, SEALED_MAILS, ...SEALED_IN_SESSIONS];

/**
 * Seals all data with the new secret after a change, so that older secrets can be removed.
 * @returns false if the database cannot be written
 */
export async function renewAllSealed(db: Db, box: SecretBox, log: Pick<Logger, "info" | "warn">): Promise<boolean> {
  try {
    const texts = await renewSealed(db, box, SEALED);
    log.info({ texts }, "all that is stored encrypted is so with the first secret: older ones can be removed");
    return true;
  } catch (error) {
    if (storageTrouble(error) === null) throw error;
    log.warn({ err: error }, "older secrets are still needed: what they have encrypted could not be encrypted anew");
    return false;
  }
}
