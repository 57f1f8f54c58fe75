import { setTimeout as delay } from "node:timers/promises";
import type { TestServer } from "../servers/server";

const SAID_WITHIN_MS = 30_000;

/** Path and query of the administrator link in the server's output, after its first line. */
export async function firstAdministratorLink({ origin, said }: Pick<TestServer, "origin" | "said">): Promise<string> {
  for (const end = Date.now() + SAID_WITHIN_MS; Date.now() < end; await delay(20)) {
    const [, second = ""] = said();
    const address = /http\S+/.exec(second)?.[0];
    if (address?.startsWith(`${origin}/`)) return address.slice(origin.length);
  }
  throw new Error(`There is no link in ${JSON.stringify(said())}.`);
}
