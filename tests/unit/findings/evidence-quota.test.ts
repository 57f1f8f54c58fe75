import { expect, test } from "vitest";
import type { Db } from "db/schema";
import { createEvidenceQuota } from "~/findings/evidence-quota.server";
import { createFindings } from "~/findings/finding.server";
import { createPages } from "~/runs/page.server";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { checkedPage, element, finding } from "../../support/database/page-results";

const MB = 1_000_000;
const MANY = 500;

/** Page with elements of about 2 KB each; `violations` of them violate a rule, the others pass it. */
const pageOf = (violations: number, passes: number) => {
  const elements = (count: number, of: string) =>
    Array.from({ length: count }, (_, index) => element({ html: `<p id="${of}-${index}">`.padEnd(2_000, "x") }));
  return checkedPage({
    findings: {
      violations: [finding("image-alt", { elementCount: violations, elements: elements(violations, "image") })],
      incomplete: [],
      passes: [finding("label", { elementCount: passes, elements: elements(passes, "field") })],
      inapplicable: [],
    },
  });
};

async function stateOf(db: Db) {
  const rows = await db.selectFrom("run").select(["id", "evidence", "evidence_bytes as bytes"]).orderBy("created_at").execute();
  return rows.map(({ evidence, bytes }) => `${evidence} ${(bytes / MB).toFixed(1)}`);
}

const elementsOf = async (db: Db, runId: string) =>
  (
    await db
      .selectFrom("element")
      .innerJoin("page", "page.id", "element.page_id")
      .select("element.category")
      .where("page.run_id", "=", runId)
      .execute()
  ).map(({ category }) => category);

test("nothing is deleted while there is room", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  await finishedRun(db, [pageOf(MANY, MANY)], { owner: "ada" });
  const quota = createEvidenceQuota({ db, maxBytes: 100 * MB });
  expect(await quota.enforce()).toBe(0);
  expect(await stateOf(db)).toEqual(["kept 2.3"]);
  expect(await quota.bytes()).toBeGreaterThan(2 * MB);
});

test("an account's oldest evidence is deleted first: passes, then the rest; sums, rules and other accounts stay", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada", "ben");
  const runs = [];
  for (const at of [1_000, 2_000, 3_000]) runs.push(await finishedRun(db, [pageOf(MANY, MANY)], { owner: "ada", at }));
  await finishedRun(db, [pageOf(MANY, MANY)], { owner: "ben", at: 500 });
  await createEvidenceQuota({ db, maxBytes: 11 * MB }).enforce();
  expect(await stateOf(db)).toEqual(["kept 2.3", "short 1.1", "short 1.1", "kept 2.3"]);
  expect(new Set(await elementsOf(db, runs[0]?.id ?? ""))).toEqual(new Set(["violations"]));

  await createEvidenceQuota({ db, maxBytes: 5.5 * MB }).enforce();
  expect(await stateOf(db)).toEqual(["kept 2.3", "gone 0.0", "short 1.1", "short 1.1"]);
  const first = await runsOf(db).ofOwner(runs[0]?.id ?? "", "ada");
  expect(first).toMatchObject({ evidence: "gone", stats: { violations: 1, elements: MANY, pages: 1 } });
  expect(await elementsOf(db, runs[0]?.id ?? "")).toEqual([]);
});

test("a few accounts with much evidence do not displace that of others", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada", "eve", "mal");
  await finishedRun(db, [pageOf(MANY, 0)], { owner: "ada", at: 1 });
  for (const at of [2_000, 3_000, 4_000]) for (const owner of ["eve", "mal"]) await finishedRun(db, [pageOf(MANY, 0)], { owner, at });
  await createEvidenceQuota({ db, maxBytes: 7 * MB }).enforce();
  const [own] = await stateOf(db);
  expect(own).toBe("kept 1.1");
  expect(await createEvidenceQuota({ db, maxBytes: 7 * MB }).bytes()).toBeLessThanOrEqual(7 * MB);
});

test("free checks may use a quarter", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  await finishedRun(db, [pageOf(MANY, 0)], { owner: "ada", at: 1 });
  for (const at of [2_000, 3_000, 4_000]) {
    const { id } = await finishedRun(db, [pageOf(MANY, 0)], { owner: "ada", at });
    await db.updateTable("run").set({ owner: null }).where("id", "=", id).execute();
  }
  await createEvidenceQuota({ db, maxBytes: 8 * MB }).enforce();
  expect(await stateOf(db)).toEqual(["kept 1.1", "gone 0.0", "gone 0.0", "short 1.1"]);
});

test("evidence of running scans is not deleted", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  await finishedRun(db, [pageOf(MANY, MANY)], { owner: "ada", status: "running" });
  expect(await createEvidenceQuota({ db, maxBytes: 1 }).enforce()).toBe(0);
});

test("a page made to use much space is stored in part, violations first, and counted in full", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  const rules = Array.from({ length: 4 }, (_, rule) =>
    finding(`rule-${rule}`, { elementCount: 1_000, elements: Array.from({ length: 1_000 }, (__, index) => element({ html: `<p id="${rule}-${index}">`.padEnd(2_000, "x") })) }),
  );
  const page = checkedPage({ findings: { violations: rules, incomplete: [], passes: rules, inapplicable: [] } });
  const run = await finishedRun(db, [page], { owner: "ada" });
  const stored = await elementsOf(db, run.id);
  expect(new Set(stored)).toEqual(new Set(["violations"]));
  expect(stored.length).toBeLessThan(2_000);
  const [bytes] = await stateOf(db);
  expect(Number(bytes?.split(" ")[1])).toBeLessThan(4.5);
  expect(run.stats.elements).toBe(4_000);
});

test("a long text is stored once per run, and deleted with its last element", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  const html = `<nav class="${"menu ".repeat(60)}">`;
  const [check] = element().checks;
  if (!check) throw new Error("an element has checks");
  const checks = [{ ...check, message: "long ".repeat(60) }];
  const onPage = (url: string) => {
    const elements = [element({ html, checks }), element({ html: `<img alt="${url}">`, checks })];
    const passes = [finding("label", { elementCount: 1, elements: [element({ html: `<p>${"passes ".repeat(60)}</p>`, checks })] })];
    return checkedPage({ url, findings: { violations: [finding("image-alt", { elementCount: 2, elements })], incomplete: [], passes, inapplicable: [] } });
  };
  const pages = [1, 2, 3].map((number) => onPage(`https://shop.example/${number}`));
  const run = await finishedRun(db, pages, { owner: "ada" });
  const other = await finishedRun(db, pages.slice(0, 1), { owner: "ada", at: 2_000 });
  const textsOf = async ({ id }: typeof run) =>
    (await db.selectFrom("element_text").select("text").where("run_id", "=", id).where("text", "like", "<%").orderBy("text").execute()).map(({ text }) => text.slice(0, 4));

  expect(await textsOf(run)).toEqual(["<nav", "<p>p"]);
  const [first] = await createPages({ db }).ofRun(run.id);
  const found = await createFindings({ db }).ofPage(first?.id ?? 0, { elements: 10 });
  expect(found.violations[0]?.elements.map((each) => each.html)).toEqual([html, `<img alt="https://shop.example/1">`]);

  const before = await createEvidenceQuota({ db, maxBytes: 100 * MB }).bytes();
  await createEvidenceQuota({ db, maxBytes: 2 * before - 10 }).enforce();
  expect(await textsOf(run)).toEqual(["<nav"]);
  expect(await textsOf(other)).toEqual(["<nav", "<p>p"]);
  expect(await createEvidenceQuota({ db, maxBytes: 100 * MB }).bytes()).toBeLessThan(before);
  for (const { id } of await createPages({ db }).ofRun(run.id)) {
    const { violations } = await createFindings({ db }).ofPage(id, { elements: 10 });
    expect(violations[0]?.elements[0]).toMatchObject({ html, checks });
  }
});

test("the size of a run is counted when it is stored, and after a deletion", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  const { id } = await finishedRun(db, [pageOf(20, 30), { ...pageOf(40, 10), url: "https://shop.example/two" }], { owner: "ada" });
  const size = async () => (await db.selectFrom("run").select("evidence_bytes").where("id", "=", id).executeTakeFirstOrThrow()).evidence_bytes;
  const counted = await size();
  await db.updateTable("run").set({ evidence_bytes: -1 }).execute();
  await createEvidenceQuota({ db, maxBytes: 100 * MB }).enforce();
  expect(await size()).toBe(counted);
});

test("an interrupted deletion is finished before any other", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada");
  const interrupted = await finishedRun(db, [pageOf(MANY, MANY)], { owner: "ada" });
  const next = await finishedRun(db, [pageOf(MANY, 0)], { owner: "ada", at: 2_000 });
  await db.updateTable("run").set({ evidence: "gone", evidence_bytes: -1 }).where("id", "=", interrupted.id).execute();
  expect(await createEvidenceQuota({ db, maxBytes: 4 * MB }).enforce()).toBe(1);
  expect(await stateOf(db)).toEqual(["gone 0.0", "kept 1.1"]);
  expect(await elementsOf(db, interrupted.id)).toEqual([]);
  expect(await db.selectFrom("element_text").select("id").where("run_id", "!=", next.id).execute()).toEqual([]);
});

test("the common limit is obeyed even while the owner with most evidence is being scanned", async () => {
  const db = await freshDatabase();
  await addUsers(db, "ada", "eve");
  await finishedRun(db, [pageOf(MANY, MANY)], { owner: "eve", status: "running", at: 1_000 });
  await finishedRun(db, [pageOf(MANY, 0)], { owner: "ada", at: 2_000 });
  await createEvidenceQuota({ db, maxBytes: 2.5 * MB }).enforce();
  expect(await stateOf(db)).toEqual(["kept 2.3", "gone 0.0"]);
});
