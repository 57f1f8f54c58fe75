import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { SecretBox } from "~/platform/crypto/secret-box.server";
import { markSecret, wasSecretLost } from "~/platform/crypto/secret-mark.server";
import { InvalidSetting } from "~/platform/env.server";
import type { Installation } from "~/platform/installation/installation";
import { renewAllSealed } from "./renew-sealed.server";

const SECRET_LOST =
  "the secret of the last start is gone: everybody is signed out, and what was sealed with it is lost (tokens of the sign-in " +
  "service, secrets of authenticator apps, mails that wait, what opens protected websites, links to unsubscribe); SESSION_SECRET may name several, the new one first";

/** Time limit to become the leader: the database notices within it that a process has lost its machine. */
const LEAD_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;

interface SecretOptions {
  box: SecretBox;
  /** True if no other secret is accepted. */
  isOnly: boolean;
  installation: Pick<Installation, "leads" | "onLead">;
}

/** Seals all data with the first secret, and stores its mark. @throws {InvalidSetting} if the other processes have another secret */
export async function keepSecret(db: Db, { box, isOnly, installation }: SecretOptions, log: Logger): Promise<void> {
  const { leads, onLead } = installation;
  if (await wasSecretLost(db, box)) {
    for (const end = Date.now() + LEAD_WITHIN_MS; !leads() && Date.now() < end; ) await delay(LOOK_EVERY_MS);
    if (!leads()) throw new InvalidSetting("SESSION_SECRET is unusable: it wants that of the other processes on this database.");
    log.warn(SECRET_LOST);
  }
  if (leads()) return renew();
  onLead(() => void renew().catch((error: unknown) => log.error({ err: error }, "what is sealed was not renewed")));

  async function renew(): Promise<void> {
    if (isOnly || (await renewAllSealed(db, box, log))) await markSecret(db, box);
  }
}
