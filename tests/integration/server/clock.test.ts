import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { newMember } from "../../support/accounts/accounts";
import { mailTo } from "../../support/servers/outbox";
import { minutes } from "../../support/patience";
import { startServer } from "../../support/servers/server";
import { openSite, pageWith, type Handler } from "../../support/scan/site";

const HOUR_MS = 3_600_000;
const SLOW_MS = 2_000;

test("a clock that is set by hours, ahead or back, stops no scan, no mail and no session", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-clock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clockFile = path.join(folder, "clock");
  const setClock = (hours: number) => writeFileSync(clockFile, String(hours * HOUR_MS));
  setClock(0);
  // Called while the page loads; sets the clock.
  let meanwhile = () => {};
  const slow: Handler = (_request, response) => {
    meanwhile();
    setTimeout(() => response.setHeader("Content-Type", "text/html").end(pageWith("<img src=/a.png>")), SLOW_MS);
  };
  const site = await openSite({ "/": slow });
  onTestFinished(() => site.close());
  const server = await startServer({ clockFile, env: { BILLING: "off", SCAN_ALLOW_PRIVATE: "127.0.0.1" } });
  onTestFinished(() => server.stop().then(() => {}));
  const db = await server.database();
  const ada = await newMember(server);

  for (const hours of [5, -5]) {
    meanwhile = () => setClock(hours);
    const { location } = await ada.post("/runs/new", { url: site.origin, scope: "page", level: "AA" });
    const id = location?.split("/").at(-1) ?? "";
    const run = () => db.selectFrom("run").innerJoin("job", "job.run_id", "run.id").select(["run.status", "run.pages", "job.attempts"]).where("run.id", "=", id).executeTakeFirst();
    await vi.waitFor(async () => expect(await run()).toEqual({ status: "succeeded", pages: 1, attempts: 1 }), { timeout: minutes(1), interval: 200 });
    expect((await ada.get("/runs")).status).toBe(200);
    await ada.post("/forgot-password", { email: ada.person.email });
    await mailTo(server.dataDir, ada.person.email, "reset_password", hours > 0 ? 1 : 2);
  }
});
