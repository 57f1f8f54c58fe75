import type { Env } from "~/platform/env.server";
import { earlierSecrets, storedSecrets } from "~/platform/crypto/session-secrets.server";

/** Secrets for signing cookies and encrypting data: the first one signs and seals, all of them are accepted. */
export function secretsOf({ SESSION_SECRET, DATA_DIR }: Env): string[] {
  return SESSION_SECRET ? [...SESSION_SECRET, ...earlierSecrets(DATA_DIR)] : storedSecrets(DATA_DIR);
}
