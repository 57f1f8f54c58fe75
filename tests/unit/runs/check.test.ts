import { describe, expect, it } from "vitest";
import { createChecks } from "~/reports/check/check.server";
import { createEvidence } from "~/findings/evidence.server";
import { createFindings } from "~/findings/finding.server";
import { createPages } from "~/runs/page.server";
import { createRuns } from "~/runs/run.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import type { PageResult } from "~/scan/types";
import { freshDatabase, testBox } from "../../support/database/database";
import { checkedPage, element, ENGINES, finding } from "../../support/database/page-results";

const URL = "https://www.schön.example/";
const ASCII_URL = "https://www.xn--schn-7qa.example/";

async function setUp() {
  const db = await freshDatabase();
  const runs = createRuns({ db, box: testBox, queues: { page: createDatabaseQueue({ db }), site: createDatabaseQueue({ db }) }, retentionDays: 365 });
  const pages = createPages({ db });
  const checks = createChecks({ runs, pages, findings: createFindings({ db }), evidence: createEvidence({ db }), pageSeconds: 30, userAgent: "Rampe/1" });
  const start = (owner: string | null = null) =>
    runs.start({ url: ASCII_URL, scope: "page", standard: { version: "2.2", level: "AA" }, owner });
  const finish = async (id: string, result: PageResult) => {
    await runs.begin(id);
    await db.transaction().execute((trx) => runs.finish(trx, id, { ...result, url: ASCII_URL }, ENGINES));
  };
  return { db, checks, start, finish };
}

const violation = (ruleId: string, secret: string) =>
  finding(ruleId, { impact: "serious", elementCount: 1, elements: [element({ html: `<i>${secret}</i>` })] });

describe("the page of a free check", () => {
  it("does not exist for an unknown id, or a run of an account", async () => {
    const { checks, start } = await setUp();
    const own = await start("user-1");
    expect(await checks.show("nothing", "de")).toBeNull();
    expect(await checks.show(own.id, "de")).toBeNull();
  });

  it("says how many scans are ahead", async () => {
    const { checks, start } = await setUp();
    await start();
    const second = await start();
    expect(await checks.show(second.id, "de")).toMatchObject({ state: "waiting", status: "queued", ahead: 1 });
  });

  it("says in its tab whether it still waits, runs, or is over", async () => {
    const { db, checks, start, finish } = await setUp();
    const { id } = await start();
    const title = async () => (await checks.show(id, "de"))?.meta.title;
    expect(await title()).toBe("Prüfung wartet: schön.example – Rampe");
    await db.deleteFrom("job").execute();
    expect(await title()).toBe("Prüfung läuft: schön.example – Rampe");
    await finish(id, checkedPage());
    expect(await title()).toBe("Ergebnis: schön.example – Rampe");
  });

  it("shows three violated rules in full, and only the names of the others", async () => {
    const { checks, start, finish } = await setUp();
    const run = await start();
    const rules = ["image-alt", "label", "link-name", "button-name", "frame-title"];
    const found = rules.map((ruleId, number) => violation(ruleId, `detail-${number}`));
    await finish(run.id, checkedPage({ findings: { ...checkedPage().findings, violations: found } }));

    const check = await checks.show(run.id, "de");
    if (check?.state !== "done") throw new Error("not done");
    expect(check.counts.violations).toBe(5);
    expect(check.violations).toHaveLength(3);
    expect(check.locked).toHaveLength(2);
    const sent = JSON.stringify(check);
    expect(found.filter((_, number) => sent.includes(`detail-${number}`))).toHaveLength(3);
    expect(Object.keys(check.locked[0]!).sort()).toEqual(["criteria", "elementCount", "impact", "picture", "ruleId", "title"]);
  });

  it("is in the viewer's language, whatever language it was started in", async () => {
    const { checks, start, finish } = await setUp();
    const run = await start();
    await finish(run.id, checkedPage());

    const [german, english] = [await checks.show(run.id, "de"), await checks.show(run.id, "en")];
    if (german?.state !== "done" || english?.state !== "done") throw new Error("not done");
    expect(german.violations[0]!.title).toEqual({ lang: "de", text: "Bilder ohne Beschreibung" });
    expect(english.violations[0]!.title).toEqual({ lang: "en", text: "Images without a description" });
    expect(german.violations[0]!.criteria).toEqual(["1.1.1 Nicht-Text-Inhalt"]);
    expect(german.meta.title).toBe("Ergebnis: schön.example – Rampe");
  });

  it("says that its elements were deleted to save space", async () => {
    const { db, checks, start, finish } = await setUp();
    const run = await start();
    await finish(run.id, checkedPage());
    expect(await checks.show(run.id, "de")).toMatchObject({ state: "done", evidenceGone: false });
    await db.updateTable("run").set({ evidence: "gone" }).where("id", "=", run.id).execute();
    expect(await checks.show(run.id, "de")).toMatchObject({ state: "done", evidenceGone: true });
  });

  it("names rules that ran out of time", async () => {
    const { checks, start, finish } = await setUp();
    const run = await start();
    await finish(run.id, checkedPage({ partial: ["color-contrast"] }));
    expect(await checks.show(run.id, "en")).toMatchObject({
      gaps: { partial: [{ text: "Text stands out too little", lang: "en" }] },
    });
  });

  it("never shows a page that could not be checked as a clean one", async () => {
    const { checks, start, finish } = await setUp();
    const run = await start();
    await finish(run.id, {
      status: "failed",
      url: URL,
      finalUrl: URL,
      checkedAt: 1,
      durationMs: 1,
      reason: "tls",
      detail: { technical: "net::ERR_CERT_DATE_INVALID" },
    });
    const check = await checks.show(run.id, "de");
    expect(check).toMatchObject({ state: "failed", reason: { kind: "tls", httpStatus: null }, host: "schön.example" });
    expect(check).not.toHaveProperty("counts");
  });
});
