import { onTestFinished } from "vitest";
import type { DatabaseLocation } from "../database/server-database";
import { startServer, type ServerOptions, type TestServer } from "./server";

/** Server of the current test, to be killed and restarted on the same data; password hashes take their usual time, but no processor time. */
export async function startKillable({ dataDir }: DatabaseLocation, settings: Record<string, string> = {}, more: Pick<ServerOptions, "browser"> = {}): Promise<TestServer> {
  const env = { NODE_ENV: "production", LOG_LEVEL: "silent", HASH_MS: "150", ...settings };
  const server = await startServer({ dataDir, env, ...more });
  onTestFinished(() => server.kill());
  return server;
}
