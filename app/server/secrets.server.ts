import type { Env } from "~/platform/env.server";
import { earlierSecrets, storedSecrets } from "~/platform/crypto/session-secrets.server";

/** What signs cookies and seals what is kept; the first one does, each of them is accepted. */
export function secretsOf({ SESSION_SECRET, DATA_DIR }: Env): string[] {
  return SESSION_SECRET ? [...SESSION_SECRET, ...earlierSecrets(DATA_DIR)] : storedSecrets(DATA_DIR);
}
