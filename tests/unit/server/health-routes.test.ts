import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { healthRoutes } from "~/server/health/health-routes.server";
import type { Health, Readiness } from "~/server/health/health";

const READY: Readiness = { version: "1.2.3", ready: true };
const HEALTHY: Health = { version: "1.2.3", ok: true, database: "ok", scanner: "ok", disk: "ok" };

async function ask(address: string, { health = HEALTHY, ready = READY }: { health?: Health; ready?: Readiness } = {}) {
  const server = createServer(express().use(healthRoutes({ health: async () => health, readiness: async () => ready })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${address}`);
  return [answer.status, await answer.json()];
}

test("/healthz says whether everything works, and the version", async () => {
  expect(await ask("/healthz")).toEqual([200, HEALTHY]);
  const failed: Health = { ...HEALTHY, ok: false, database: "failed" };
  expect(await ask("/healthz", { health: failed })).toEqual([503, failed]);
});

test("/readyz says whether requests may be sent, and why not, and the version", async () => {
  expect(await ask("/readyz")).toEqual([200, READY]);
  for (const reason of ["stopping", "database"] as const) {
    const ready: Readiness = { version: "1.2.3", ready: false, reason };
    expect(await ask("/readyz", { ready })).toEqual([503, ready]);
  }
});
