import { onTestFinished } from "vitest";
import type { DatabaseLocation } from "../database/server-database";
import { startServer, type ServerOptions, type TestServer } from "./server";

/** A server of the current test, to be killed and started again on the same data; passwords take as long as for users, without the work. */
export async function startKillable({ dataDir }: DatabaseLocation, settings: Record<string, string> = {}, more: Pick<ServerOptions, "browser"> = {}): Promise<TestServer> {
  const env = { NODE_ENV: "production", LOG_LEVEL: "silent", HASH_MS: "150", ...settings };
  const server = await startServer({ dataDir, env, ...more });
  onTestFinished(() => server.kill());
  return server;
}
