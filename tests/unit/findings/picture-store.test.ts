import { beforeEach, describe, expect, test } from "vitest";
import type { Db } from "db/schema";
import { removeUser } from "~/accounts/user.server";
import { createEvidenceQuota } from "~/findings/evidence-quota.server";
import { createEvidence } from "~/findings/evidence.server";
import { createKeyboardWalks } from "~/findings/keyboard-walk.server";
import { createPagePictures } from "~/findings/page-picture.server";
import type { ObjectKey } from "~/platform/objects/object-store";
import { createPictureStore, type PictureStore } from "~/findings/picture-store.server";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createChecks } from "~/reports/check/check.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createReportPdfs } from "~/reports/pdf/run-report.server";
import { createReports } from "~/reports/report.server";
import { createFindings } from "~/findings/finding.server";
import * as keyboard from "~/routes/report/keyboard";
import * as overview from "~/routes/report/overview";
import * as rule from "~/routes/report/rule";
import { createPages } from "~/runs/page.server";
import { createRetention } from "~/runs/retention.server";
import type { Run } from "~/runs/run";
import { createRunObjects } from "~/findings/run-objects.server";
import type { CheckedPage, KeyboardWalk } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { memoryStore } from "../../support/database/memory-store";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { sharedMarkup } from "../../support/reports/shared-report";

const DAY_MS = 86_400_000;
const SHOP = "https://shop.example/";
const box = { x: 10, y: 20, width: 30, height: 40 };
const drawn = (text: string) => Buffer.from(text);
const textOf = (image: Uint8Array | undefined) => image && Buffer.from(image).toString();

let db: Db;
let at: number;
let objects: ReturnType<typeof memoryStore>;
let pictures: PictureStore;
beforeEach(async () => {
  db = await freshDatabase();
  at = Date.now();
  objects = memoryStore(() => at);
  pictures = createPictureStore({ db, objects });
  await addUsers(db, "ada");
});

/** Page with a picture of an element, one of the whole page and one of the keyboard walk. */
function page(mark: string, more: Partial<CheckedPage> = {}): CheckedPage {
  const walk: KeyboardWalk = { stops: [{ name: "Home", role: "link", box }], count: 1, isWhole: true, picture: { image: drawn(`walk ${mark}`), width: 1280, height: 900 } };
  const elements = [element({ box, picture: drawn(`element ${mark}`) })];
  const violations = [finding("image-alt", { impact: "critical", elementCount: 1, elements })];
  const findings = { violations, incomplete: [], passes: [], inapplicable: [] };
  return checkedPage({ url: `${SHOP}${mark}`, picture: { image: drawn(`page ${mark}`), width: 1280, height: 900 }, walk, findings, ...more });
}

const run = (marks: string[], more: Partial<Parameters<typeof finishedRun>[2]> = {}) => finishedRun(db, marks.map((mark) => page(mark)), { at, pictures, ...more });
const keys = () => [...objects.objects.keys()];
const runObjects = () => createRunObjects({ db, objects, log: () => {} });
const inDatabase = async () => (await db.selectFrom("picture").select("image").execute()).map(({ image }) => textOf(image)).sort();
const bytesOf = async ({ id }: Run) => (await db.selectFrom("run").select("evidence_bytes").where("id", "=", id).executeTakeFirstOrThrow()).evidence_bytes;

/** All three pictures of the first page of a run. */
async function read({ id }: Run, from: PictureStore = pictures) {
  const [first] = await createPages({ db }).ofRun(id);
  const pageId = first?.id ?? 0;
  const images = [
    await createEvidence({ db, pictures: from }).picture(id, { pageId, category: "violations", ruleId: "image-alt", position: 0 }),
    await createPagePictures({ db, pictures: from }).image(id, pageId),
    await createKeyboardWalks({ db, pictures: from }).picture(id, pageId),
  ];
  return images.map(textOf);
}

describe("with an object store", () => {
  test("pictures are there alone, and are read, counted and measured as before", async () => {
    const one = await run(["one"]);
    expect(keys().every((key) => key.startsWith(`${one.id}/`) && key.endsWith(".webp"))).toBe(true);
    expect([...objects.objects.values()].map(({ bytes }) => textOf(bytes)).sort()).toEqual(["element one", "page one", "walk one"]);
    expect(await inDatabase()).toEqual([]);
    expect(await read(one)).toEqual(["element one", "page one", "walk one"]);

    const same = await run(["one"], { pictures: undefined });
    expect(await bytesOf(one)).toBe(await bytesOf(same));
    const before = await bytesOf(one);
    await db.updateTable("run").set({ evidence_bytes: -1 }).execute();
    await createEvidenceQuota({ db, maxBytes: 1e9 }).enforce();
    expect([await bytesOf(one), await bytesOf(same)]).toEqual([before, before]);
  });

  test("pictures from before it are read as well, and a picture is put once for each run", async () => {
    const old = await run(["one"], { pictures: undefined });
    expect(await read(old)).toEqual(["element one", "page one", "walk one"]);
    const twice = await finishedRun(db, [page("one"), page("one", { url: `${SHOP}two` })], { pictures });
    expect(keys()).toHaveLength(3);
    expect(await read(twice)).toEqual(["element one", "page one", "walk one"]);
    // The first page of this run was stored without the object store.
    expect(await pictures.put(old.id, page("one"))).toEqual(new Set());
    expect(await pictures.put(twice.id, page("one"))).toEqual(new Set((await db.selectFrom("stored_picture").select("hash").execute()).map(({ hash }) => hash)));
    expect(keys()).toHaveLength(3);
  });

  test("a picture can only be read with its own run", async () => {
    const [mine, yours] = [await run(["mine"]), await run(["yours"])];
    const [first] = await createPages({ db }).ofRun(mine.id);
    const key = { pageId: first?.id ?? 0, category: "violations", ruleId: "image-alt", position: 0 } as const;
    expect(await createEvidence({ db, pictures }).picture(yours.id, key)).toBeUndefined();
  });

  test("what cannot be put is stored in the database, so that a scan loses nothing", async () => {
    objects.fails.put = true;
    const one = await run(["one"]);
    expect(keys()).toEqual([]);
    expect(await inDatabase()).toEqual(["element one", "page one", "walk one"]);
    expect(await read(one)).toEqual(["element one", "page one", "walk one"]);
    objects.fails.put = false;
    const two = await run(["two"]);
    expect(await read(two)).toEqual(["element two", "page two", "walk two"]);
    expect(await inDatabase()).toHaveLength(3);
  });

  test("pages without pictures, and pages that were not checked, ask it for nothing", async () => {
    objects.fails.put = true;
    expect(await pictures.put("run", checkedPage())).toEqual(new Set());
    expect(await pictures.put("run", { ...checkedPage(), status: "failed", reason: "dns", detail: {} })).toEqual(new Set());
  });
});

describe("pictures that cannot be read", () => {
  const SAID = "Bilder können zurzeit nicht angezeigt werden";

  async function shown(of: Run, from: PictureStore) {
    const pageId = (await createPages({ db }).ofRun(of.id))[0]?.id ?? 0;
    const asked = { locale: "de", pictures: from } as const;
    return {
      overview: await sharedMarkup(db, of, overview, asked),
      rule: await sharedMarkup(db, of, rule as never, { ...asked, params: { category: "violations", rule: "image-alt" } }),
      keyboard: await sharedMarkup(db, of, keyboard, { ...asked, params: { page: String(pageId) } }),
    };
  }

  async function pdfOf(of: Run, from: PictureStore): Promise<string> {
    const pdfs = createReportPdfs({
      ...{ reports: createReports({ db }), pages: createPages({ db }), evidence: createEvidence({ db, pictures: from }), acceptances: createAcceptances({ db }) },
      ...{ criterionReviews: createCriterionReviews({ db }), reviews: { answersOf: async () => () => undefined }, reportEntitlements: { withheld: async () => NOTHING_WITHHELD } },
      ...{ reportCovers: { shownFor: async () => null }, printer: { print: async () => null }, log: () => {}, operator: null, baseUrl: "https://rampe.example" },
    });
    return pdfs.html(of, "de");
  }

  test("are shown on the pages of a report and in its PDF while the store works", async () => {
    const one = await run(["one"]);
    const pages = await shown(one, pictures);
    expect(pages.overview).toContain('class="walk-picture"');
    expect(pages.rule).toContain('class="element-picture"');
    expect(pages.keyboard).toContain('class="walk-picture"');
    for (const markup of Object.values(pages)) expect(markup).not.toContain(SAID);
    expect(await pdfOf(one, pictures)).toContain(`data:image/webp;base64,${drawn("element one").toString("base64")}`);
  });

  test.each(["the store does not answer", "there is none any more"])("are left out, and that is said, if %s", async (why) => {
    const one = await run(["one"]);
    objects.fails.get = why === "the store does not answer";
    const from = objects.fails.get ? pictures : createPictureStore({ db });
    const pages = await shown(one, from);
    for (const markup of Object.values(pages)) {
      expect(markup).toContain(SAID);
      expect(markup).not.toMatch(/class="(walk|element)-picture"/);
    }
    expect(pages.rule).toContain("logo");
    const pdf = await pdfOf(one, from);
    expect(pdf).toContain("In diesem Bericht fehlen Bilder");
    expect(pdf).not.toContain("data:image/webp");
    expect(await read(one, from)).toEqual([undefined, undefined, undefined]);
  });

  test("say nothing about a report whose pictures are in the database", async () => {
    const old = await run(["old"], { pictures: undefined });
    await run(["one"]);
    objects.fails.get = true;
    expect((await shown(old, pictures)).rule).toContain('class="element-picture"');
    expect((await shown(old, createPictureStore({ db }))).overview).not.toContain(SAID);
    expect(await pdfOf(old, pictures)).not.toContain("fehlen Bilder");
  });

  test("are left out of a free check, which says so", async () => {
    const one = await run(["one"]);
    await db.updateTable("run").set({ owner: null }).execute();
    const checksWith = (from: PictureStore) =>
      createChecks({ runs: runsOf(db), pages: createPages({ db }), findings: createFindings({ db }), evidence: createEvidence({ db, pictures: from }), pageSeconds: 30, userAgent: "Rampe/1" });
    const place = (check: unknown) => (check as { violations: { places: { picture: string | null }[] }[] }).violations[0]?.places[0]?.picture;
    const well = await checksWith(pictures).show(one.id, "de");
    expect(well).toMatchObject({ picturesUnreachable: false });
    expect(place(well)).toContain("/picture/image-alt/0");
    objects.fails.get = true;
    const ill = await checksWith(pictures).show(one.id, "de");
    expect(ill).toMatchObject({ state: "done", picturesUnreachable: true });
    expect(place(ill)).toBeNull();
  });
});

describe("objects are deleted", () => {
  const retention = () => createRetention({ db, deleteObjectsOf: runObjects().deleteOf });

  test("with their run when it expires, and no others", async () => {
    const [one, other] = [await run(["one"]), await run(["two"])];
    await db.updateTable("run").set({ expires_at: 1 }).where("id", "=", one.id).execute();
    await retention().deleteExpired();
    expect(keys()).toHaveLength(3);
    expect(await read(other)).toEqual(["element two", "page two", "walk two"]);
  });

  test("with the account of their run", async () => {
    await run(["one"]);
    await db.transaction().execute((trx) => removeUser(trx, "ada"));
    await retention().deleteExpired();
    expect(keys()).toEqual([]);
  });

  test("when evidence exceeds its limit, which they count for wherever they are", async () => {
    const large = page("one", { picture: { image: Buffer.alloc(300_000, "x"), width: 1280, height: 900 } });
    const one = await finishedRun(db, [large], { pictures });
    await objects.put(`${one.id}/old.pdf`, drawn("with pictures"));
    expect(await createEvidenceQuota({ db, maxBytes: 100_000, deleteObjectsOf: runObjects().deleteOf }).enforce()).toBe(1);
    expect(keys()).toEqual([]);
    expect(await db.selectFrom("stored_picture").selectAll().execute()).toEqual([]);
    expect(await bytesOf(one)).toBeLessThan(1_000);
  });

  test("after the rows, and later if the store does not answer then", async () => {
    const one = await run(["one"]);
    await db.updateTable("run").set({ expires_at: 1 }).execute();
    objects.fails.delete = true;
    expect(await retention().deleteExpired()).toBe(1);
    expect(await read(one)).toEqual([undefined, undefined, undefined]);
    expect(keys()).toHaveLength(3);
    objects.fails.delete = false;
    expect(await runObjects().deleteOrphans(at + DAY_MS)).toBe(3);
    expect(keys()).toEqual([]);
  });
});

/** Id of a deleted run. */
const GONE = "g".repeat(22);

describe("orphans", () => {
  test("of a page that was not stored are deleted when they are a day old and the run is over", async () => {
    const one = await run(["one"], { status: "running" });
    await pictures.put(one.id, page("lost"));
    expect(keys()).toHaveLength(6);
    const { deleteOrphans } = runObjects();
    expect(await deleteOrphans(at + 30 * DAY_MS)).toBe(0);
    await db.updateTable("run").set({ status: "succeeded" }).execute();
    expect(await deleteOrphans(at + DAY_MS - 1)).toBe(0);
    expect(await deleteOrphans(at + DAY_MS)).toBe(3);
    expect(await read(one)).toEqual(["element one", "page one", "walk one"]);
    expect(await deleteOrphans(at + 300 * DAY_MS)).toBe(0);
  });

  test("are half-written files and old probes, but not the mark and what other programs stored", async () => {
    const one = await run(["one"]);
    const half: ObjectKey = `${one.id}/${"x".repeat(22)}.webp.0123456789ab.part`;
    for (const key of [half, "probe-0123456789abcdef/probe", "installation/id", `${GONE}/${"a".repeat(22)}.webp`] as const) await objects.put(key, drawn("x"));
    // Objects of other programs in the same bucket.
    for (const key of ["logs/2024.txt", "backups/db.tar.gz", `${GONE}/report.pdf`] as const) await objects.put(key, drawn("x"));
    expect(await runObjects().deleteOrphans(at + DAY_MS)).toBe(3);
    expect(keys()).toHaveLength(7);
    expect(keys()).toEqual(expect.arrayContaining(["installation/id", "logs/2024.txt", "backups/db.tar.gz"]));
  });

  test("are PDFs after a week, or without their run", async () => {
    const one = await run(["one"]);
    await objects.put(`${one.id}/${"a".repeat(43)}.pdf`, drawn("PDF"));
    await objects.put(`${GONE}/${"a".repeat(43)}.pdf`, drawn("PDF"));
    const { deleteOrphans } = runObjects();
    expect(await deleteOrphans(at + DAY_MS)).toBe(1);
    expect(await deleteOrphans(at + 7 * DAY_MS - 1)).toBe(0);
    expect(await deleteOrphans(at + 7 * DAY_MS)).toBe(1);
  });

  test("are found in several batches", async () => {
    const one = await run(["one"]);
    for (let number = 0; number < 2_100; number += 1) await objects.put(`${GONE.slice(1)}${number % 7}/${String(number).padStart(22, "0")}.webp`, drawn("x"));
    await run(["two"]);
    expect(await runObjects().deleteOrphans(at + DAY_MS)).toBe(2_100);
    expect(keys()).toHaveLength(6);
    expect(await read(one)).toEqual(["element one", "page one", "walk one"]);
  });
});
