import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createAsk, RETRY_POLICY } from "~/accounts/hosted/ask-provider.server";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Local provider. @returns its address, and the times of its requests, Unix time in ms */
async function provider(answer: (asked: number, ...args: Parameters<RequestListener>) => void) {
  const asked: number[] = [];
  server = createServer((request, response) => answer(asked.push(Date.now()), request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/token`, asked };
}

describe("a sign-in service", () => {
  it("that fails for a moment is tried again, with growing pauses", async () => {
    const { address, asked } = await provider((nth, _request, response) => response.writeHead(nth < 3 ? 503 : 200).end());
    const ask = createAsk({ tryMs: 20_000, totalMs: 60_000, tries: 3, pauseMs: 50 });
    expect((await ask(address, {})).status).toBe(200);
    const [first = 0, second = 0, third = 0] = asked;
    // Timers may be a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(49);
    expect(third - second).toBeGreaterThanOrEqual(99);
  });

  it.each([429, 500, 503])("that keeps answering %i is given up after a number of tries", async (status) => {
    const { address, asked } = await provider((_nth, _request, response) => response.writeHead(status).end());
    const ask = createAsk({ tryMs: 20_000, totalMs: 60_000, tries: 3, pauseMs: 1 });
    await expect(ask(address, {})).rejects.toThrow(IdentityUnavailable);
    expect(asked.length).toBe(3);
  });

  it("that refuses is not tried again", async () => {
    const { address, asked } = await provider((_nth, _request, response) => response.writeHead(403).end());
    expect((await createAsk({ ...RETRY_POLICY, pauseMs: 1 })(address, {})).status).toBe(403);
    expect(asked.length).toBe(1);
  });

  it("that never answers takes no longer than the limit for all tries", async () => {
    const { address, asked } = await provider(() => {});
    const ask = createAsk({ tryMs: 100, totalMs: 150, tries: 3, pauseMs: 100 });
    await expect(ask(address, {})).rejects.toThrow(IdentityUnavailable);
    expect(asked.length, "there was no time for another try").toBe(1);
  });

  it("gets no second request for actions that must not happen twice", async () => {
    const { address, asked } = await provider((_nth, _request, response) => response.writeHead(500).end());
    await expect(createAsk({ ...RETRY_POLICY, pauseMs: 1 })(address, {}, { tries: 1 })).rejects.toThrow(IdentityUnavailable);
    expect(asked.length).toBe(1);
  });

  it("keeps no user waiting for half a minute", () => {
    expect(RETRY_POLICY.totalMs).toBeLessThanOrEqual(12_000);
  });
});
