import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { writeLetter } from "~/mail/letters.server";
import type { Mail } from "~/mail/mail";
import { createFinishedMails, type FinishedMails } from "~/monitoring/finished-mails.server";
import { freshDatabase, testBox } from "../../support/database/database";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, finding, uncheckedPage } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

const SHOP = "https://shop.example/";

let db: Db;
let posted: Mail[];
let finished: FinishedMails;

beforeEach(async () => {
  db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  posted = [];
  finished = createFinishedMails({ db, box: testBox, mails: { post: async (_trx, mail) => void posted.push(mail) }, write: writeLetter, baseUrl: "https://rampe.example" });
});

const found = checkedPage({ url: SHOP, findings: { violations: [finding("image-alt", { elementCount: 3 })], incomplete: [], passes: [], inapplicable: [] } });
const scan = (more: Parameters<typeof finishedRun>[2] = {}) => finishedRun(db, [found], { mailWhenDone: true, ...more });

describe("a mail about a finished scan", () => {
  test("that cannot be written does not hold up the others, and is tried again", async () => {
    const events: string[] = [];
    await scan({ owner: "ada" });
    await scan({ owner: "eve" });
    const failing = new Set([(await db.selectFrom("user").select("email").where("id", "=", "ada").executeTakeFirstOrThrow()).email]);
    const post = async (_trx: unknown, mail: Mail) => {
      if (failing.delete(mail.to)) throw new Error("no template");
      posted.push(mail);
    };
    finished = createFinishedMails({ db, box: testBox, mails: { post }, write: writeLetter, baseUrl: "https://rampe.example", log: (event) => void events.push(event) });
    await finished.tick();
    expect([posted.length, events]).toEqual([1, ["mail about a finished scan was not written"]]);
    await finished.tick();
    expect(posted).toHaveLength(2);
  });

  test("comes once, with what was found, to who asked for it", async () => {
    const { id } = await scan();
    await finishedRun(db, [found]);
    await Promise.all([finished.tick(), finished.tick()]);
    await finished.tick();
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({ to: "ada@example.org", subject: "Your scan is finished" });
    expect(posted[0]?.text).toContain(`https://rampe.example/run/${id}`);
    expect(posted[0]?.text).toContain("Violated rules: 1; places: 3");
    expect(posted[0]?.text).toContain(posted[0]?.unsubscribe);
  });

  test("counts as the report does: without what is accepted", async () => {
    const page = checkedPage({ url: SHOP, findings: { violations: [finding("image-alt", { elementCount: 3 }), finding("label", { elementCount: 2 })], incomplete: [], passes: [], inapplicable: [] } });
    const run = await finishedRun(db, [page], { mailWhenDone: true });
    const terms = { kind: "not_a_barrier", lastDay: null, reason: "Decoration" } as const;
    await createAcceptances({ db }).accept("ada", run, { scope: "rule", rule: { source: "axe", ruleId: "image-alt" }, element: null }, terms);
    await finished.tick();
    expect(posted[0]?.text).toContain("Violated rules: 1; places: 2");
  });

  test("says so if nothing could be checked", async () => {
    await finishedRun(db, [uncheckedPage({ url: SHOP })], { mailWhenDone: true });
    await finished.tick();
    expect(posted.map(({ subject }) => subject)).toEqual(["Your scan has failed"]);
  });

  test("says so if the scan did not come to its end", async () => {
    const { id } = await scan({ scope: "site" });
    await db.updateTable("run").set({ status: "failed", reason: "crashed" }).where("id", "=", id).execute();
    await finished.tick();
    expect(posted.map(({ subject }) => subject)).toEqual(["Your scan did not come to its end"]);
    expect(posted[0]?.text).toContain("Scanned pages: 1; not scanned: 0");
  });

  test.each<RunStatus>(["queued", "running", "canceled"])("does not come for a scan that is %s", async (status) => {
    await scan({ status });
    await finished.tick();
    expect(posted).toEqual([]);
  });

  test("does not go to an unconfirmed address, and not for a deleted scan", async () => {
    await scan();
    await db.updateTable("user").set({ email_verified: 0 }).execute();
    await finished.tick();
    await db.updateTable("user").set({ email_verified: 1 }).execute();
    const { id } = await scan();
    await db.updateTable("run").set({ deleted_at: 1 }).where("id", "=", id).execute();
    await finished.tick();
    expect(posted).toEqual([]);
  });

  test("can be asked for and declined while the scan runs, by its owner alone", async () => {
    const { id } = await runsOf(db).start({ url: SHOP, owner: "ada", scope: "site", standard: WCAG22AA });
    await finished.want("eve", id, true);
    expect(await finished.isWanted(id)).toBe(false);
    await finished.want("ada", id, true);
    expect(await finished.isWanted(id)).toBe(true);
    await finished.want("ada", id, false);
    expect(await finished.isWanted(id)).toBe(false);
  });

  test("is offered for each scan, except for the repetition of one whose mail was declined", async () => {
    const declined = await scan({ mailWhenDone: false });
    const asked = await scan();
    const other = await finishedRun(db, [found]);
    await finished.tick();
    expect(posted).toHaveLength(1);
    const offers = [declined, asked, other].map(({ id }) => finished.wishFor("ada", id));
    expect(await Promise.all([...offers, finished.wishFor("ada")])).toEqual([false, true, true, true]);
  });

  test("is declined for all scans by its link, also for running ones", async () => {
    await scan();
    await finished.tick();
    const token = posted[0]?.unsubscribe?.split("/").at(-1) ?? "";
    await scan();
    expect(await finished.wishFor("ada")).toBe(true);
    expect(await finished.unsubscribe("1.forged")).toBe(false);
    expect(await finished.unsubscribed(token)).toMatchObject({ mails: true });
    expect(await finished.unsubscribe(token)).toBe(true);
    await finished.tick();
    expect(posted).toHaveLength(1);
    expect([await finished.wishFor("ada"), await finished.wishFor("eve")]).toEqual([undefined, true]);
  });
});
