import { describe, expect, it } from "vitest";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createExports } from "~/reports/exports/export.server";
import { createFindings } from "~/findings/finding.server";
import { createPages } from "~/runs/page.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createReviews } from "~/reports/review/review.server";
import type { Run } from "~/runs/run";
import { csvForReaders } from "~/reports/exports/csv-for-readers.server";
import { csvParts } from "~/reports/exports/csv";
import { earlParts } from "~/reports/exports/earl";
import { jsonParts } from "~/reports/exports/json";
import { statsOf, type RunFacts } from "~/reports/exports/run";
import { sarifParts } from "~/reports/exports/sarif";
import { freshDatabase } from "../../support/database/database";
import { facts, isStrictlyValid, text } from "../../support/reports/export-documents";
import { addUsers, finishedRun, runsOf } from "../../support/database/finished-runs";
import { sarifProblems } from "../../support/reports/export-validators";
import { checkedPage, element, finding } from "../../support/database/page-results";
import { readCsv } from "../../support/reports/read-csv";

const OWNER = "ada";

describe("a person's answer about an element is in every export", () => {
  const doubtful = ["a", "b", "c", "d"].map((id) => element({ target: [`#${id}`], context: { heading: "Angebote", landmark: { role: "main", name: "" } } }));
  const page = checkedPage({
    findings: {
      violations: [],
      incomplete: [finding("color-contrast", { impact: "serious", elementCount: 4, elements: doubtful })],
      passes: [],
      inapplicable: [],
    },
  });
  const said = { "#a": "problem", "#b": "no_problem", "#c": "ignore" } as const;
  const judged: RunFacts = {
    ...facts(),
    judgementOf: ({ pageUrl, rule: { ruleId }, element: { target } }) => {
      const answer = pageUrl === page.url && ruleId === "color-contrast" ? said[target[0] as keyof typeof said] : undefined;
      return answer && { answer, reason: "=gesehen", by: "Ada", at: 0 };
    },
  };
  async function* pages() {
    yield await Promise.resolve(page);
  }

  it("in JSON, with where the element is in words", async () => {
    const [{ incomplete }] = JSON.parse(await text(jsonParts(judged, statsOf([page]), pages()))).pages;
    const review = { answer: "ignore", reason: "=gesehen", by: "Ada", at: "1970-01-01T00:00:00.000Z" };
    expect(incomplete[0].nodes[2]).toMatchObject({ review, place: { heading: "Angebote" } });
    expect(incomplete[0].nodes[3]).not.toHaveProperty("review");
  });

  it("in CSV", async () => {
    const [head = [], ...rows] = readCsv((await text(csvParts(judged, pages()))).slice(1));
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column("review")).toEqual(["problem", "no_problem", "ignore", ""]);
    expect(column("review_reason")[0]).toBe("'=gesehen");
  });

  it("in SARIF, as a failure, a pass, or an accepted result", async () => {
    const { results } = JSON.parse(await text(sarifParts(judged, pages()))).runs[0];
    expect(results).toMatchObject([
      { kind: "fail", level: "error" },
      { kind: "pass", level: "none" },
      { kind: "review", level: "none", suppressions: [{ status: "accepted", justification: "=gesehen" }] },
      { kind: "review", level: "none" },
    ]);
    expect(results[3]).not.toHaveProperty("suppressions");
  });

  it("in EARL, as a separate assertion besides the engine's", async () => {
    const { assertions, "@included": nodes } = JSON.parse(await text(earlParts(judged, pages())));
    const person = nodes.find(({ title }: { title?: string }) => title === "Ada")["@id"];
    const theirs = assertions.filter(({ assertedBy }: { assertedBy: string }) => assertedBy === person);
    expect(theirs.map(({ mode, result }: { mode: string; result: { outcome: string } }) => [mode, result.outcome])).toEqual([
      ["earl:manual", "earl:failed"],
      ["earl:manual", "earl:passed"],
      ["earl:manual", "earl:cantTell"],
    ]);
    expect(assertions).toHaveLength(7);
  });
});

describe("what people accepted is exported", () => {
  const one = element({ target: ["#logo"], html: '<img id="logo">', impact: "serious" });
  const other = element({ target: ["#team"], html: '<img id="team">', impact: "serious" });
  const page = checkedPage({
    findings: {
      violations: [finding("image-alt", { impact: "serious", elementCount: 2, elements: [one, other] }), finding("label", { impact: "critical", elementCount: 3, elements: [element({ target: ["#q"] })] })],
      incomplete: [],
      passes: [],
      inapplicable: [],
    },
  });

  async function accepted() {
    const db = await freshDatabase();
    await addUsers(db, OWNER);
    const { id } = await finishedRun(db, [page], { owner: OWNER });
    const acceptances = createAcceptances({ db, now: () => Date.UTC(2026, 10, 26) });
    const run = { url: page.url };
    await acceptances.accept(OWNER, run, { scope: "element", rule: { source: "axe", ruleId: "image-alt" }, element: { ...one, pageUrl: page.url } }, { kind: "third_party", lastDay: "2999-01-31", reason: "=Karte" });
    await acceptances.accept(OWNER, run, { scope: "rule", rule: { source: "axe", ruleId: "label" }, element: null }, { kind: "not_a_barrier", lastDay: null, reason: "Ok" });
    const settled = (await runsOf(db).ofOwner(id, OWNER)) as Run;
    const readers = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }), reportEntitlements: { withheld: async () => NOTHING_WITHHELD } };
    const exports = createExports({ ...readers, acceptances, product: "Rampe 1.0", baseUrl: "https://rampe.example" });
    return { facts: await exports.facts(settled), stats: exports.stats(settled), pages: () => exports.pages(settled) };
  }

  it("in JSON, outside of the sums, matching its schema", async () => {
    const { facts: of, stats, pages } = await accepted();
    const document = JSON.parse(await text(jsonParts(of, stats, pages())));
    expect([isStrictlyValid(document), isStrictlyValid.errors]).toEqual([true, null]);
    expect(document.stats).toMatchObject({ violations: 1, violatedRules: 1, elements: 1, accepted: 4 });
    const at = "2026-11-26T00:00:00.000Z";
    const [label, image] = document.pages[0].violations;
    expect(image).not.toHaveProperty("acceptance");
    expect(image.nodes.map(({ acceptance }: { acceptance?: object }) => acceptance)).toEqual([{ scope: "element", kind: "third_party", lastDay: "2999-01-31", reason: "=Karte", by: OWNER, at }, undefined]);
    expect(label.acceptance).toEqual({ scope: "rule", kind: "not_a_barrier", lastDay: null, reason: "Ok", by: OWNER, at });
  });

  it("in CSV, with kind and last day, safe against formulas", async () => {
    const { facts: of, pages } = await accepted();
    const [head = [], ...rows] = readCsv((await text(csvParts(of, pages()))).slice(1));
    const cells = rows.map((row) => ["reason", "rule", "review", "review_reason", "reviewed_by", "accepted_kind", "accepted_until"].map((name) => row[head.indexOf(name)]));
    expect(cells).toEqual([
      ["accepted", "", "", "", "", "", ""],
      ["", "label", "accepted", "Ok", OWNER, "not_a_barrier", ""],
      ["", "label", "accepted", "Ok", OWNER, "not_a_barrier", ""],
      ["", "image-alt", "accepted", "'=Karte", OWNER, "third_party", "2999-01-31"],
      ["", "image-alt", "", "", "", "", ""],
    ]);
  });

  it("in the table for people, in their language, with what is not listed by itself", async () => {
    const { facts: of, pages } = await accepted();
    const [head = [], ...rows] = readCsv((await text(csvForReaders(of, pages(), "de"))).slice(1), ";");
    const cells = rows.map((row) => ["Regel", "Von Hand beurteilt", "Begründung", "Beurteilt von", "Akzeptiert bis"].map((name) => row[head.indexOf(name)]));
    expect(cells).toEqual([
      ["", "", "", "", ""],
      ["label", "akzeptiert: Keine Barriere", "Ok", OWNER, ""],
      ["label", "akzeptiert: Keine Barriere", "Ok", OWNER, ""],
      ["image-alt", "akzeptiert: Inhalt von Dritten", "'=Karte", OWNER, "31. Januar 2999"],
      ["image-alt", "", "", "", ""],
    ]);
    expect(rows[0]?.[head.indexOf("Einzelheiten")]).toBe("4 Stellen sind akzeptiert. Sie sind hier aufgeführt, zählen aber nicht als offene Verstöße. Akzeptiert heißt nicht behoben.");
  });

  it("in SARIF, as suppressions that its schema allows", async () => {
    const { facts: of, pages } = await accepted();
    const log = JSON.parse(await text(sarifParts(of, pages())));
    expect(sarifProblems(log)).toEqual([]);
    expect(log.runs[0].results.map(({ kind, suppressions }: { kind: string; suppressions?: object[] }) => [kind, suppressions?.length ?? 0])).toEqual([["fail", 1], ["fail", 1], ["fail", 1], ["fail", 0]]);
    expect(log.runs[0].results[2].suppressions).toMatchObject([{ kind: "external", status: "accepted", justification: "=Karte", properties: { kind: "third_party", lastDay: "2999-01-31", by: OWNER } }]);
  });

  it("in EARL, as a person's assertion besides the engine's", async () => {
    const { facts: of, pages } = await accepted();
    const { assertions } = JSON.parse(await text(earlParts(of, pages())));
    const theirs = assertions.filter(({ mode }: { mode: string }) => mode === "earl:manual");
    expect(theirs.map(({ result }: { result: { outcome: string; info: string; pointer?: { expression: string } } }) => [result.outcome, result.info, result.pointer?.expression])).toEqual([
      ["earl:passed", "Accepted (not_a_barrier): Ok", "#q"],
      // Elements that are counted but not listed.
      ["earl:passed", "Accepted (not_a_barrier): Ok", undefined],
      ["earl:failed", "Accepted (third_party, until 2999-01-31): =Karte", expect.any(String)],
    ]);
  });
});

describe("verdicts of people on success criteria are exported", () => {
  const assessments: RunFacts["assessments"] = [
    { criterion: "1.1.1", level: "A", verdict: "fulfilled", note: null, by: "Ada", at: 0 },
    { criterion: "1.2.6", level: "AAA", verdict: "not_applicable", note: null, by: "Ada", at: 0 },
    { criterion: "2.1.1", level: "A", verdict: "not_fulfilled", note: "=Menü", by: "Ben", at: 0 },
    { criterion: "2.2.3", level: "AAA", verdict: "open", note: "Ask the shop", by: "Ada", at: 0 },
  ];
  const assessed: RunFacts = { ...facts(), assessments };
  const page = checkedPage({ findings: { violations: [finding("label", { elements: [element()] })], incomplete: [], passes: [], inapplicable: [] } });
  async function* pages() {
    yield await Promise.resolve(page);
  }

  it("of the stored run, for what it is about", async () => {
    const db = await freshDatabase();
    await addUsers(db, OWNER);
    const run = await finishedRun(db, [page], { owner: OWNER });
    const criterionReviews = createCriterionReviews({ db, now: () => 7 });
    await criterionReviews.answer(OWNER, run, [{ criterion: "2.1.1", verdict: "not_fulfilled", note: "Menu" }]);
    const readers = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews, reportEntitlements: { withheld: async () => NOTHING_WITHHELD } };
    const stored = await createExports({ ...readers, product: "Rampe 1.0", baseUrl: "https://rampe.example" }).facts(run);
    expect(stored.assessments).toEqual([{ criterion: "2.1.1", level: "A", verdict: "not_fulfilled", note: "Menu", by: OWNER, at: 7 }]);
  });

  it("in JSON, matching its schema", async () => {
    const document = JSON.parse(await text(jsonParts(assessed, statsOf([page]), pages())));
    expect([isStrictlyValid(document), isStrictlyValid.errors]).toEqual([true, null]);
    expect(document.assessments[2]).toEqual({ criterion: "2.1.1", level: "A", verdict: "not_fulfilled", note: "=Menü", by: "Ben", at: "1970-01-01T00:00:00.000Z" });
    expect(JSON.parse(await text(jsonParts(facts(), statsOf([page]), pages())))).not.toHaveProperty("assessments");
  });

  it("in CSV, one row each", async () => {
    const [head = [], ...rows] = readCsv((await text(csvParts(assessed, pages()))).slice(1));
    const cell = (row: string[], name: string) => row[head.indexOf(name)];
    const theirs = rows.filter((row) => cell(row, "result") === "criterion");
    expect(theirs.map((row) => [cell(row, "rule"), cell(row, "review"), cell(row, "review_reason")])).toEqual([
      ["1.1.1", "fulfilled", ""],
      ["1.2.6", "not_applicable", ""],
      ["2.1.1", "not_fulfilled", "'=Menü"],
      ["2.2.3", "open", "Ask the shop"],
    ]);
  });

  it("in EARL, as manual assertions on all that was scanned", async () => {
    const { assertions, "@included": nodes } = JSON.parse(await text(earlParts(assessed, pages())));
    const node = (id: string) => nodes.find((each: { "@id": string }) => each["@id"] === id);
    const theirs = assertions.filter(({ mode }: { mode: string }) => mode === "earl:manual");
    expect(theirs.map(({ result }: { result: { outcome: string } }) => result.outcome)).toEqual(["earl:passed", "earl:inapplicable", "earl:failed", "earl:untested"]);
    expect(node(theirs[2].test)).toMatchObject({ "@type": "TestRequirement", identifier: "2.1.1", source: ["https://www.w3.org/TR/WCAG22/#keyboard"] });
    expect(node(theirs[2].assertedBy)).toMatchObject({ title: "Ben" });
    expect(node(theirs[2].subject)).toMatchObject({ source: assessed.url });
    expect(assertions.length).toBeGreaterThan(theirs.length);
  });
});
