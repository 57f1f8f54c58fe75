import { createHmac } from "node:crypto";
import type { Logger } from "pino";
import { setUpCatalogue } from "~/billing/plans/catalogue.server";
import type { PaymentConnection } from "~/billing/connection";
import { createStripe } from "~/billing/stripe/client.server";
import type { Env } from "~/platform/env.server";
import { storedSecrets } from "~/platform/crypto/session-secrets.server";
import { createCashier, listenCashier } from "~/billing/demo/cashier.server";
import { cashierFile } from "~/server/storage/database.server";

const PATH = "/cashier";

/** Starts the cashier, a replacement for Stripe, beside the server; the application only gets its address. */
export async function startCashier(env: Env, log: Logger): Promise<PaymentConnection> {
  const [secret = ""] = env.SESSION_SECRET ?? storedSecrets(env.DATA_DIR);
  const keyFor = (what: string) => createHmac("sha256", secret).update(`cashier ${what}`).digest("hex");
  const secretKey = `sk_test_${keyFor("key")}`;
  const webhookSecret = `whsec_${keyFor("webhook")}`;
  // Preliminary origin until the server listens; no webhook is sent before that.
  let origin = env.BASE_URL;
  const cashier = createCashier({
    file: cashierFile(env),
    publicUrl: `${env.BASE_URL}${PATH}`,
    webhook: {
      get url() {
        return `${origin}/webhooks/stripe`;
      },
      secret: webhookSecret,
    },
    secretKey,
    log: (problem, error) => log.error({ err: error }, problem),
  });
  const { host, port, close } = await listenCashier(cashier);
  const address = { host, port, protocol: "http" } as const;
  await setUpCatalogue(createStripe(secretKey, address));
  return {
    secretKey,
    webhookSecret,
    address,
    pageOrigins: [],
    pages: { path: PATH, handler: cashier.pages },
    listening(at) {
      origin = at;
      cashier.start();
    },
    async stop() {
      await close();
      await cashier.stop();
    },
  };
}
