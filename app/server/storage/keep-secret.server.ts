import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { markSecret, wasSecretLost } from "~/platform/crypto/secret-mark.server";
import { InvalidSetting } from "~/platform/env.server";
import { renewAllSealed } from "./renew-sealed.server";

const SECRET_LOST =
  "the secret of the last start is gone: everybody is signed out, and what was sealed with it is lost (tokens of the sign-in " +
  "service, secrets of authenticator apps, mails that wait, what opens protected websites, links to unsubscribe); SESSION_SECRET may name several, the new one first";

interface SecretOptions {
  box: SecretBox;
  /** No other secret is accepted. */
  isOnly: boolean;
  /** This process does what one alone does. */
  leads: boolean;
}

/** Seals everything with the first secret, and marks it. @throws {InvalidSetting} if the other processes have another one */
export async function keepSecret(db: Db, { box, isOnly, leads }: SecretOptions, log: Logger): Promise<void> {
  const isLost = await wasSecretLost(db, box);
  if (isLost && !leads) throw new InvalidSetting("SESSION_SECRET is unusable: it wants that of the other processes on this database.");
  if (isLost) log.warn(SECRET_LOST);
  if (leads && (isOnly || (await renewAllSealed(db, box, log)))) await markSecret(db, box);
}
