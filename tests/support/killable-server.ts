import { onTestFinished } from "vitest";
import type { DatabaseLocation } from "./server-database";
import { startServer, type TestServer } from "./server";

/** A server of the current test, to be killed and started again on the same data; passwords take as long as for users. */
export async function startKillable({ dataDir }: DatabaseLocation, settings: Record<string, string> = {}): Promise<TestServer> {
  const env = { NODE_ENV: "production", LOG_LEVEL: "silent", ...settings };
  const server = await startServer({ dataDir, env, realHashes: true });
  onTestFinished(() => server.kill());
  return server;
}
