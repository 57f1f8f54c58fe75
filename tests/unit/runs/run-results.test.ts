import { expect, test } from "vitest";
import { checkedPage, element, ENGINES, finding, uncheckedPage } from "../../support/database/page-results";
import { finished, emptyRuns } from "../../support/database/stored-runs";

test("a checked page is stored with its findings, the worst first", async () => {
  const { db, clock, runs, pages, findings } = await emptyRuns();
  const image = finding("image-alt", {
    impact: "critical",
    elementCount: 2,
    elements: [element(), element({ target: ["iframe", ["#host", ".inner"]], impact: null, checks: [] })],
  });
  const contrast = finding("color-contrast", { impact: "serious", elementCount: 7, elements: [element()] });
  const label = finding("label", {
    impact: "critical",
    elementCount: 5,
    elements: [element({ html: "<input>" })],
  });
  const result = checkedPage({
    finalUrl: "https://shop.example/start",
    partial: ["target-size"],
    gaps: { frames: ["https://ads.example/"], closedShadowRoots: 1, resources: 2, concealed: true, unfinished: true, late: [], missing: null },
    findings: {
      violations: [contrast, image, label],
      // The same rule may need a person's review elsewhere on the page.
      incomplete: [{ ...contrast, elementCount: 1 }],
      passes: [finding("document-title", { elementCount: 1 }), finding("html-has-lang", { elementCount: 3 })],
      inapplicable: [finding("marquee")],
    },
  });

  const run = await finished(db, runs, result);

  expect(run).toMatchObject({ status: "succeeded", reason: null, finishedAt: clock.time, engines: ENGINES });
  expect(run.stats).toEqual({
    pages: 1,
    accepted: 0,
    failedPages: 0,
    partlyPages: 1,
    violations: 3,
    incomplete: 1,
    passes: 2,
    inapplicable: 1,
    elements: 14,
    violatedRules: 3,
    impacts: { critical: 2, serious: 1, moderate: 0, minor: 0 },
  });
  const [page] = await pages.ofRun(run.id);
  const { findings: _findings, ...outcome } = result;
  expect(page).toMatchObject({ ...outcome, reason: null, detail: {} });
  expect(await findings.ofPage(page?.id ?? 0, { elements: 100 })).toEqual({
    violations: [label, image, contrast],
    incomplete: [{ ...contrast, elementCount: 1 }],
    passes: [finding("html-has-lang", { elementCount: 3 }), finding("document-title", { elementCount: 1 })],
    inapplicable: [finding("marquee")],
  });
});

test("of each finding, only the requested number of elements is read", async () => {
  const { db, runs, pages, findings } = await emptyRuns();
  const elements = Array.from({ length: 5 }, (_, index) => element({ target: [`#e${index}`] }));
  const violations = ["image-alt", "label"].map((rule) => finding(rule, { elementCount: 5, elements }));
  const { id } = await finished(
    db,
    runs,
    checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } }),
  );
  const [page] = await pages.ofRun(id);
  const read = await findings.ofPage(page?.id ?? 0, { elements: 2 });
  expect(read.violations.map(({ elementCount, elements }) => [elementCount, elements])).toEqual([
    [5, elements.slice(0, 2)],
    [5, elements.slice(0, 2)],
  ]);
});

test("an element's HTML is cut at 2,048 bytes, and marked as cut", async () => {
  const { db, runs, pages, findings } = await emptyRuns();
  // 'ü' has two bytes: the cut is in the middle of one.
  const elements = [
    element({ html: `<${"ü".repeat(2_000)}>` }),
    element({ html: "x".repeat(2_048) }),
    element({ htmlCut: true }),
  ];
  const violations = [finding("label", { elementCount: 3, elements })];
  const { id } = await finished(
    db,
    runs,
    checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } }),
  );
  const [page] = await pages.ofRun(id);
  const read = (await findings.ofPage(page?.id ?? 0, { elements: 9 })).violations[0]?.elements;
  expect(read?.map(({ html, htmlCut }) => [html, htmlCut])).toEqual([
    [`<${"ü".repeat(1_023)}`, true],
    ["x".repeat(2_048), false],
    [element().html, true],
  ]);
});

test("a page with thousands of elements is stored in part, with the right count", async () => {
  const { db, runs, pages, findings } = await emptyRuns();
  const elements = Array.from({ length: 1_200 }, (_, index) => element({ target: [`#e${index}`] }));
  const violations = [finding("label", { elementCount: 1_200, elements })];
  const { id, stats } = await finished(
    db,
    runs,
    checkedPage({ findings: { violations, incomplete: [], passes: [], inapplicable: [] } }),
  );
  const [page] = await pages.ofRun(id);
  const [label] = (await findings.ofPage(page?.id ?? 0, { elements: 5_000 })).violations;
  expect(stats.elements).toBe(1_200);
  expect(label).toMatchObject({ elementCount: 1_200 });
  expect(label?.elements).toEqual(elements.slice(0, 1_000));
});

test("a page that could not be checked fails its run with the reason, and never counts as clean", async () => {
  const { db, runs, pages, findings } = await emptyRuns();
  const result = uncheckedPage({ reason: "http_status", detail: { httpStatus: 503 } });
  const run = await finished(db, runs, result);
  expect(run).toMatchObject({ status: "failed", reason: "http_status" });
  expect(run.stats).toMatchObject({ pages: 1, failedPages: 1, passes: 0 });
  const [page] = await pages.ofRun(run.id);
  expect(page).toMatchObject({
    status: "failed",
    reason: "http_status",
    httpStatus: 503,
    detail: { httpStatus: 503 },
  });
  expect((await findings.ofPage(page?.id ?? 0, { elements: 9 })).violations).toEqual([]);
});

test("a page's result is stored once, even if another one follows", async () => {
  const { db, runs } = await emptyRuns();
  const run = await finished(db, runs, checkedPage());
  for (const late of [checkedPage(), uncheckedPage()]) {
    const again = db.transaction().execute((trx) => runs.finish(trx, run.id, late, ENGINES));
    await expect(again).rejects.toThrow();
  }
  expect(await runs.find(run.id, null)).toEqual(run);
  expect(await runs.begin(run.id)).toBeUndefined();
});

test("rules are described once per engine version", async () => {
  const { db, runs } = await emptyRuns();
  await finished(db, runs, checkedPage());
  await finished(db, runs, checkedPage());
  expect(await db.selectFrom("rule").select("rule_id").orderBy("rule_id").execute()).toEqual([
    { rule_id: "document-title" },
    { rule_id: "image-alt" },
    { rule_id: "marquee" },
  ]);
});
