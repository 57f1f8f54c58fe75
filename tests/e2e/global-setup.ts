import { openDemoSite } from "../support/scan/demo-site";
import { freePort } from "../support/servers/free-port";
import preparePostgres from "../support/database/postgres";
import prepareData from "../support/servers/prepare-data";
import { startServer } from "../support/servers/server";

/** Starts the built server and the site for checks; workers get both and the database by the environment. */
export default async function setUp(): Promise<() => Promise<void>> {
  const forget = await prepareData();
  const stopDatabase = process.env.TEST_DATABASE === "postgres" ? await preparePostgres() : undefined;
  const site = await openDemoSite();
  const port = await freePort();
  const server = await startServer({
    env: {
      PORT: String(port),
      // Target of links on the cashier's pages.
      BASE_URL: `http://127.0.0.1:${port}`,
      BILLING: "demo",
      // Every signed-in user has all features, without a purchase.
      TRIAL_SCANS: "1",
      SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      FREE_CHECKS_PER_HOUR: "1000",
      SCAN_CONCURRENCY: "4",
      // Each visitor has a separate client address: rate limits must not depend on other tests.
      TRUST_PROXY: "1",
    },
  });
  process.env.RAMPE_E2E_ORIGIN = server.origin;
  process.env.RAMPE_E2E_DATA = server.dataDir;
  process.env.RAMPE_E2E_SITE = site.origin;
  return async () => {
    await server.stop();
    await site.close();
    await stopDatabase?.();
    forget?.();
  };
}
