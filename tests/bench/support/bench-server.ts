import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

/** Starts the built server like `npm start`, with permission to check this site. */
export function startBenchServer(
  site: Site,
  env: Record<string, string> = {},
  dataDir?: string,
): Promise<TestServer> {
  return startServer({
    dataDir,
    realHashes: true,
    env: {
      // React uses this for the production build.
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      // No limits of requests: all come from one client.
      FREE_CHECKS_PER_HOUR: "1000000",
      SCAN_WAITING_PER_ACCOUNT: "100000",
      SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ...env,
    },
  });
}

/** Requests a free check by the form of the home page. @returns the address of its result */
export async function orderCheck({ origin }: TestServer, url: string): Promise<string> {
  const answer = await fetch(`${origin}/?index`, {
    method: "POST",
    body: new URLSearchParams({ url }),
    redirect: "manual",
  });
  const location = answer.headers.get("location");
  if (answer.status !== 303 || !location) throw new Error(`the form answered ${answer.status}`);
  await answer.arrayBuffer();
  return `${origin}${location}`;
}

/** Whether a page shows a check's result, not its progress or failure. */
export const isResult = (html: string): boolean => html.includes('id="violations"');
