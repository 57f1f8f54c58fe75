import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import compression from "compression";
import express from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { pacedResponses } from "~/server/http/paced-response.server";

const CHUNK = randomBytes(64_000);
const CHUNKS = 200;

/** Starts an answer of 13 MB without reading it. */
async function startAnswer(headers: Record<string, string>) {
  const progress = { written: 0, isFull: () => false };
  const app = express();
  app.use(compression(), pacedResponses);
  app.get("/", async (_request, response) => {
    const { drained } = response.locals as { drained: () => Promise<void> };
    progress.isFull = () => response.writableNeedDrain;
    response.type("text/plain");
    for (; progress.written < CHUNKS && !response.destroyed; progress.written += 1) {
      await drained();
      response.write(CHUNK);
    }
    response.end();
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const request = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", headers });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return { progress, answer };
}

test.each([["uncompressed", {}], ["compressed", { "Accept-Encoding": "gzip" }]])(
  "a large answer, %s, is produced only as fast as it is read, and arrives complete",
  async (_how, headers) => {
    const { progress, answer } = await startAnswer(headers);
    await vi.waitFor(() => expect(progress.isFull()).toBe(true), { timeout: 5_000 });
    expect(progress.written).toBeLessThan(CHUNKS / 2);
    answer.resume();
    await once(answer, "end");
    expect(progress.written).toBe(CHUNKS);
  },
);

test("it ends when its reader disconnects", async () => {
  const { progress, answer } = await startAnswer({});
  await vi.waitFor(() => expect(progress.isFull()).toBe(true), { timeout: 5_000 });
  const before = progress.written;
  answer.destroy();
  await vi.waitFor(() => expect(progress.written).toBeGreaterThan(before), { timeout: 5_000 });
  expect(progress.written).toBeLessThan(CHUNKS);
});
