import { openDemoSite } from "../support/scan/demo-site";
import { freePort } from "../support/servers/free-port";
import preparePostgres from "../support/database/postgres";
import prepareData from "../support/servers/prepare-data";
import { startServer } from "../support/servers/server";

/** Starts the built server and the site that its visitors check; the environment names them, and the database, for the workers. */
export default async function setUp(): Promise<() => Promise<void>> {
  const forget = await prepareData();
  const stopDatabase = process.env.TEST_DATABASE === "postgres" ? await preparePostgres() : undefined;
  const site = await openDemoSite();
  const port = await freePort();
  const server = await startServer({
    env: {
      PORT: String(port),
      // The cashier's pages lead back here.
      BASE_URL: `http://127.0.0.1:${port}`,
      BILLING: "demo",
      // Every signed-in user is entitled to everything, without a purchase.
      TRIAL_SCANS: "1",
      SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      FREE_CHECKS_PER_HOUR: "1000",
      SCAN_CONCURRENCY: "4",
      // Every visitor has a client address of their own: rate limits must not depend on other tests.
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
