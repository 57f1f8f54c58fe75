import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember, newToken, type Member } from "../../support/accounts/accounts";
import { finishedRun } from "../../support/database/finished-runs";
import { mailTo } from "../../support/servers/outbox";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { startServer, type TestServer } from "../../support/servers/server";

const METRICS_TOKEN = "a token for the tests of metrics";

let server: TestServer;
let browser: Member;
let runId: string;

beforeAll(async () => {
  const env = { BILLING: "off", OPERATOR_EMAIL: "operator@example.org", METRICS_TOKEN };
  // More space than any disk has.
  server = await startServer({ env: { ...env, DISK_MIN_FREE_MB: "90000000" } });
  browser = await newMember(server);
  const violations = [finding("image-alt", { elementCount: 1, elements: [element({ html: '<img src="logo.png">' })] })];
  const page = checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  runId = (await finishedRun(await server.database(), [page], { owner: browser.id, at: Date.now(), evidence: "gone" })).id;
});

afterAll(() => server.stop());

test("with too little free space no new scan starts; the form says so and keeps the typed values", async () => {
  const free = await browser.post("/?index", { url: "https://shop.example/a?b=1" });
  expect(free.status).toBe(503);
  expect(Number(free.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(free.text).toContain("Neue Prüfungen sind erst wieder möglich, wenn Platz frei ist");
  expect(free.text).toContain('value="https://shop.example/a?b=1"');

  const own = await browser.post("/runs/new", { url: "https://shop.example/", scope: "page", level: "AA" });
  expect(own.status).toBe(503);
  expect(own.text).toContain("Der Speicherplatz ist fast aufgebraucht");
  expect(own.text).toContain('value="https://shop.example/"');

  const token = await newToken(browser, { "runs:read": "yes", "runs:write": "yes" });
  const api = await fetch(`${server.origin}/api/v1/runs`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "once" },
    body: JSON.stringify({ url: "https://shop.example/", scope: "page" }),
  });
  expect(api.status).toBe(503);
  expect(await api.json()).toMatchObject({ type: "/api#no-disk-space", status: 503 });
});

test("reports stay readable, and say what was deleted", async () => {
  const report = await browser.get(`/run/${runId}`);
  expect(report.status).toBe(200);
  expect(report.text).toContain("Die Fundstellen dieser Prüfung sind nicht mehr gespeichert");
});

test("the operator is informed by log, mail, health check and metrics", async () => {
  const health = await fetch(`${server.origin}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ ok: true, database: "ok", scanner: "ok", disk: "low" })]);
  await server.logged(({ msg }) => msg === "the disk is nearly full: no new scans begin");
  expect((await mailTo(server.dataDir, "operator@example.org", "disk_low")).text).toContain("90.000.000 MB");
  const metrics = await (await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })).text();
  expect(metrics).toContain('rampe_healthy{part="disk"} 0');
  expect(metrics).toMatch(/^rampe_disk_free_bytes \d+/m);
  expect(metrics).toMatch(/^rampe_evidence_bytes \d+/m);
});
