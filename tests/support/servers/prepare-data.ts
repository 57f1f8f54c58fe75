import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasUndelivered } from "../billing/cashier-store";
import { preparedData, rememberPrepared } from "./prepared-data";
import { startServer } from "./server";

const DELIVERED_WITHIN_MS = 60_000;

/** Global set-up: prepares the start data of the test servers, once for all projects. */
export default async function setUp(): Promise<(() => void) | undefined> {
  if (preparedData()) return undefined;
  const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-prepared-"));
  const server = await startServer({ dataDir, browser: false, env: { BILLING: "demo" } });
  for (const end = Date.now() + DELIVERED_WITHIN_MS; hasUndelivered({ dataDir }); await delay(20)) {
    if (Date.now() > end) throw new Error("The events of the cashier's catalogue were not delivered.");
  }
  await server.stop();
  rememberPrepared(dataDir);
  return () => rmSync(dataDir, { recursive: true });
}
