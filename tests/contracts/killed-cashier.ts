import { createCashier, listenCashier } from "~/billing/demo/cashier.server";
import Stripe from "stripe";

/** Creates customers and prints their numbers. Kills itself after a few: the last one exists, but its answer was not sent. */
const MOST = 6;
const [, , file = ""] = process.argv;
let made = 0;

const cashier = createCashier({
  file,
  publicUrl: "http://127.0.0.1/cashier",
  // No server listens at this address.
  webhook: { url: "http://127.0.0.1:9/", secret: "whsec" },
  secretKey: "sk_test",
  faults: {
    after() {
      made += 1;
      if (made === MOST) process.kill(process.pid, "SIGKILL");
    },
  },
});
const { host, port } = await listenCashier(cashier);
const { customers } = new Stripe("sk_test", { host, port, protocol: "http", telemetry: false });
for (let number = 0; ; number += 1) {
  await customers.create({ name: `${number}` }, { idempotencyKey: `key-${number}` });
  process.stdout.write(`${number}\n`);
}
