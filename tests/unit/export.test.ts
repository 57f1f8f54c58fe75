import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, test } from "vitest";
import { attachment } from "~/platform/http/content-disposition";
import { exportFileName } from "~/reports/exports/answer.server";
import { EXPORT_FORMATS, exportFormatOf, exportFormats } from "~/reports/exports/formats";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createExports } from "~/reports/exports/export.server";
import { createFindings } from "~/findings/finding.server";
import { createPages } from "~/runs/page.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createReviews } from "~/reports/review/review.server";
import type { Run } from "~/runs/run";
import { noFacts } from "~/scan/crawl/facts";
import { csvForReaders } from "~/reports/exports/csv-for-readers.server";
import { csvParts } from "~/reports/exports/csv";
import { earlParts } from "~/reports/exports/earl";
import { jsonParts, runJson } from "~/reports/exports/json";
import { statsOf, type RunFacts } from "~/reports/exports/run";
import { sarifLog, sarifParts } from "~/reports/exports/sarif";
import { pageText } from "~/reports/exports/text";
import type { PageResult } from "~/scan/types";
import { strictSchema } from "../support/strict-schema";
import { freshDatabase } from "../support/database";
import { addUsers, finishedRun, runsOf, type FinishedRun } from "../support/finished-runs";
import { sarifProblems } from "../support/export-validators";
import { HOSTILE_TEXTS, hostilePage } from "../support/hostile-findings";
import { checkedPage, element, finding, uncheckedPage } from "../support/page-results";
import { readCsv } from "../support/read-csv";

const OWNER = "ada";
const CRAWL = { ...noFacts(200), pages: 3, known: 9, waiting: 6, limited: true, excluded: 1 };
const PARTIAL = checkedPage({
  url: "https://shop.example/partial",
  partial: ["color-contrast"],
  stages: [{ stage: "analysis", ms: 300, limitMs: 30_000 }],
  gaps: { frames: ["https://ads.example/"], closedShadowRoots: 1, resources: 2, concealed: false, unfinished: true, late: [], missing: null },
});
const FAILED = uncheckedPage({ url: "https://shop.example/gone", reason: "http_status", detail: { httpStatus: 404 } });
const CROWDED = checkedPage({
  url: "https://shop.example/crowded",
  findings: {
    violations: [
      finding("label", {
        impact: "serious",
        elementCount: 530,
        elements: Array.from({ length: 30 }, (_, index) => element({ target: [`#field-${index}`] })),
      }),
    ],
    incomplete: [finding("color-contrast", { impact: "serious", elementCount: 1, elements: [element({ target: [["#host", "p"]] })] })],
    passes: [finding("document-title", { elementCount: 1 })],
    inapplicable: [finding("marquee")],
  },
});

async function exported(request: FinishedRun, results: PageResult[]) {
  const db = await freshDatabase();
  const run = await finishedRun(db, results, request);
  const readers = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }), reportEntitlements: { withheld: async () => NOTHING_WITHHELD } };
  const exports = createExports({ ...readers, product: "Rampe 1.0", baseUrl: "https://rampe.example" });
  const facts = await exports.facts(run);
  const parts = () => exports.pages(run);
  return {
    run,
    facts,
    pages: () => all(parts()),
    json: () => text(jsonParts(facts, exports.stats(run), parts())),
    csv: () => text(csvParts(facts, parts())),
    sarif: () => text(sarifParts(facts, parts())),
    earl: () => text(earlParts(facts, parts())),
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const text = async (parts: AsyncIterable<string>) => (await all(parts)).join("");

const MOVED = checkedPage({ url: "https://shop.example/old", finalUrl: "https://shop.example/new" });
const BEHIND_SIGN_IN = uncheckedPage({
  url: "https://shop.example/konto",
  finalUrl: "https://shop.example/login?returnTo=%2Fkonto",
  linkedFrom: "https://shop.example/",
  reason: "login_required",
  detail: {},
});

/** One page that led to another address, and one that led to a sign-in. */
const redirected = () => {
  const elsewhere = [{ url: "https://shop.example/out", finalUrl: "https://partner.example/", linkedFrom: null }];
  return exported({ owner: OWNER, crawl: { ...CRAWL, elsewhere } }, [MOVED, BEHIND_SIGN_IN, { ...FAILED, linkedFrom: MOVED.url }]);
};

const site = (status: Run["status"] = "succeeded") =>
  exported({ owner: OWNER, status, crawl: CRAWL, excludedPaths: ["/private"], maxPages: 50 }, [CROWDED, PARTIAL, FAILED]);

describe("an export contains the stored data", () => {
  it("with every stored element, the number of the others, and the gaps of each page", async () => {
    const [crowded, partial, failed] = await (await site()).pages();
    expect(crowded).toMatchObject({ findings: { violations: [{ ruleId: "label", elementCount: 530 }] } });
    expect(crowded?.status === "succeeded" && crowded.findings.violations[0]?.elements).toHaveLength(30);
    expect(partial).toMatchObject({ partial: ["color-contrast"], gaps: PARTIAL.gaps });
    expect(failed).toMatchObject({ status: "failed", reason: "http_status", detail: { httpStatus: 404 } });
  });

  it("but without internal names", async () => {
    const detail = { technical: "10.1.2.3 is not public", address: "http://10.1.2.3/" };
    const { json } = await exported({ owner: OWNER, status: "failed" }, [uncheckedPage({ reason: "blocked_address", detail })]);
    expect(await json()).not.toContain("10.1.2.3");
  });

  it("page by page: no page is read before it is needed", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [CROWDED, PARTIAL, FAILED], { owner: OWNER });
    const findings = createFindings({ db });
    let reads = 0;
    const counting: typeof findings = { ...findings, ofPage: (...args) => ((reads += 1), findings.ofPage(...args)) };
    const readers = { pages: createPages({ db }), findings: counting, reviews: createReviews({ db }), criterionReviews: createCriterionReviews({ db }), reportEntitlements: { withheld: async () => NOTHING_WITHHELD } };
    const exports = createExports({ ...readers, product: "Rampe", baseUrl: "https://rampe.example" });
    const parts = jsonParts(await exports.facts(run), exports.stats(run), exports.pages(run));
    await parts.next();
    await parts.next();
    expect(reads).toBe(1);
    await parts.return(undefined);
    expect(reads).toBe(1);
  });
});

const schema = JSON.parse(readFileSync("public/schema/run-1.json", "utf8")) as object;
const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { "date-time": (value: string) => !Number.isNaN(Date.parse(value)) } });
const open = ajv.compile(schema);
const closed = ajv.compile(strictSchema(schema));

describe("elements that were deleted to save space", () => {
  const thinned = (evidence: Run["evidence"]) => exported({ owner: OWNER, evidence }, [CROWDED]);

  it("are named in every format", async () => {
    const { json, csv, sarif, earl } = await thinned("gone");
    const document: unknown = JSON.parse(await json());
    expect([closed(document), closed.errors]).toEqual([true, null]);
    expect(document).toMatchObject({ run: { evidence: "gone" } });
    for (const format of [csv, sarif, earl]) expect(await format()).toContain("The elements of this run were deleted to save space.");
  });

  it("are not named if only pictures are missing, which no export contains", async () => {
    const { json, csv } = await thinned("short");
    expect(JSON.parse(await json())).not.toHaveProperty("run.evidence");
    expect(await csv()).not.toContain("deleted");
  });
});

describe("JSON", () => {
  it.each(["succeeded", "failed", "canceled"] as const)("of a run that %s matches its schema exactly", async (status) => {
    const document: unknown = JSON.parse(await (await site(status)).json());
    expect([open(document), open.errors]).toEqual([true, null]);
    expect([closed(document), closed.errors]).toEqual([true, null]);
    expect(document).toMatchObject({
      schema: 1,
      run: { status, maxPages: 50, leftOut: ["/private"], crawl: { limited: true }, product: "Rampe 1.0" },
      stats: { pages: 3, failedPages: 1, elements: 531 },
    });
  });

  it("is the same from the server and from the command line", async () => {
    const { facts, pages, json } = await site();
    const written: unknown = JSON.parse(JSON.stringify(runJson(facts, await pages())));
    expect(JSON.parse(await json())).toEqual(written);
  });

  it("of an unchecked page cannot be a clean page in its schema", () => {
    const page = { ...JSON.parse(JSON.stringify(runJson(facts(), [FAILED]).pages[0])), status: "succeeded", reason: null };
    expect(open({ ...runJson(facts(), []), pages: [page] })).toBe(false);
  });
});

describe("every export names the requested address and the one reached", () => {
  it("in JSON, matching its schema", async () => {
    const document = JSON.parse(await (await redirected()).json());
    expect([closed(document), closed.errors]).toEqual([true, null]);
    expect(document.pages).toMatchObject([
      { url: MOVED.url, finalUrl: MOVED.finalUrl },
      { url: BEHIND_SIGN_IN.url, finalUrl: BEHIND_SIGN_IN.finalUrl, reason: "login_required", linkedFrom: "https://shop.example/" },
      { url: FAILED.url, finalUrl: FAILED.url, detail: { httpStatus: 404 }, linkedFrom: MOVED.url },
    ]);
    expect(document.run.crawl.elsewhere).toMatchObject([{ finalUrl: "https://partner.example/" }]);
  });

  it("in CSV, in columns after the earlier ones", async () => {
    const [head = [], ...rows] = readCsv((await (await redirected()).csv()).slice(1));
    const records = rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index]])));
    expect(head.slice(-6)).toEqual(["reached", "linked_from", "source", "problem", "accepted_kind", "accepted_until"]);
    expect(records).toContainEqual(expect.objectContaining({ page: MOVED.url, reached: MOVED.finalUrl, rule: "image-alt", problem: "Images without a description" }));
    expect(records).toContainEqual(
      expect.objectContaining({ page: BEHIND_SIGN_IN.url, reached: BEHIND_SIGN_IN.finalUrl, status: "failed", reason: "login_required" }),
    );
    expect(records).toContainEqual(
      expect.objectContaining({ page: FAILED.url, reached: "", linked_from: MOVED.url, summary: "there is no page at this address (status 404)" }),
    );
    expect(records).toContainEqual(expect.objectContaining({ summary: expect.stringContaining("led to another site: https://partner.example/") }));
  });

  it("in SARIF", async () => {
    const [run] = JSON.parse(await (await redirected()).sarif()).runs;
    const [{ physicalLocation }] = run.results[0].locations;
    expect(physicalLocation.artifactLocation).toEqual({ uri: MOVED.url, description: { text: `Led to: ${MOVED.finalUrl}` } });
    const texts = run.invocations[0].toolExecutionNotifications.map(({ message }: { message: { text: string } }) => message.text);
    expect(texts).toContainEqual(expect.stringMatching(/^Not checked: login_required, .*Led to: \S+\/login\?returnTo/));
    expect(texts).toContainEqual(expect.stringContaining(`(status 404). Linked from: ${MOVED.url}`));
    expect(run.invocations[0].executionSuccessful).toBe(false);
  });

  it("in EARL", async () => {
    const document = JSON.parse(await (await redirected()).earl());
    expect(document["@included"]).toContainEqual(expect.objectContaining({ source: MOVED.url, reached: MOVED.finalUrl }));
    const infos = document.assertions.map(({ result }: { result: { info?: string } }) => result.info);
    expect(infos).toContainEqual(expect.stringMatching(/^Not checked: login_required, .*Led to: /));
  });

  it("in text for a terminal, with the page that links to a failed one", () => {
    expect(pageText(MOVED)).toContain(`${MOVED.url}\n  Led to: ${MOVED.finalUrl}\n`);
    const text = pageText(BEHIND_SIGN_IN);
    expect(text).toContain(`${BEHIND_SIGN_IN.url}\n  Led to: ${BEHIND_SIGN_IN.finalUrl}\n  Linked from: https://shop.example/\n`);
    expect(text).toContain("Not checked (login_required): it led to a sign-in");
    expect(pageText({ ...MOVED, finalUrl: "https://partner.example/" })).toContain("Led to another site: https://partner.example/");
  });
});

const facts = (): RunFacts => ({
  ...{ id: "1", url: "https://shop.example/", scope: "page", createdAt: 0, finishedAt: 1, product: "Rampe" },
  standard: { version: "2.2", level: "AA" },
  engines: [],
});

describe("CSV", () => {
  it("is UTF-8 with a byte order mark, according to RFC 4180, with one row per element and gap", async () => {
    const csv = await (await site("canceled")).csv();
    expect(csv.startsWith("\uFEFFpage,status,")).toBe(true);
    const [head = [], ...rows] = readCsv(csv.slice(1));
    const records = rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index]])));
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(records.filter(({ rule, result }) => rule === "label" && result === "violation")).toHaveLength(31);
    expect(records).toContainEqual(expect.objectContaining({ rule: "label", summary: "500 more elements are not listed" }));
    expect(records).toContainEqual(expect.objectContaining({ status: "failed", reason: "http_status", page: FAILED.url }));
    expect(records).toContainEqual(expect.objectContaining({ result: "not checked", rule: "color-contrast" }));
    expect(records).toContainEqual(expect.objectContaining({ result: "run", reason: "canceled", status: "canceled" }));
    expect(records).toContainEqual(expect.objectContaining({ result: "run", reason: "left_out" }));
    expect(records.some(({ summary }) => summary?.includes("more addresses were known"))).toBe(true);
  });
});

describe("SARIF", () => {
  it("is the same from the server and from the command line", async () => {
    const { facts, pages, sarif } = await site("canceled");
    expect(JSON.parse(await sarif())).toEqual(JSON.parse(JSON.stringify(sarifLog(facts, await pages()))));
  });

  it("has a result for each element, names its rule, and reports the gaps", async () => {
    const log = JSON.parse(await (await site("canceled")).sarif());
    const [run] = log.runs;
    const rules = run.tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(new Set(rules).size).toBe(rules.length);
    expect(run.results).toHaveLength(33);
    expect(run.results.every(({ ruleId }: { ruleId: string }) => rules.includes(ruleId))).toBe(true);
    const [invocation] = run.invocations;
    expect(invocation.executionSuccessful).toBe(false);
    const notices = invocation.toolExecutionNotifications.map(({ descriptor }: { descriptor: { id: string } }) => descriptor.id);
    expect(new Set(notices)).toEqual(
      new Set(["canceled", "left_out", "crawl", "http_status", "rule", "unfinished", "frame", "closed_shadow_root", "resource"]),
    );
  });
});

describe("EARL", () => {
  it("has an outcome for each element, rule and page, made by Rampe with axe-core", async () => {
    const document = JSON.parse(await (await site("canceled")).earl());
    const outcomes = document.assertions.map(({ result }: { result: { outcome: string } }) => result.outcome);
    const numberOf = (outcome: string) => outcomes.filter((each: string) => each === `earl:${outcome}`).length;
    expect([numberOf("failed"), numberOf("cantTell")]).toEqual([32, 1]);
    expect([numberOf("passed"), numberOf("inapplicable")]).toEqual([2, 2]);
    // The failed page, and the gaps of the partial one.
    expect(numberOf("untested")).toBe(6);
    const nodes = new Map(document["@included"].map((node: { "@id": string }) => [node["@id"], node]));
    for (const { subject, test, assertedBy } of document.assertions) {
      for (const name of [subject, test, assertedBy]) expect(nodes.has(name), name).toBe(true);
    }
    expect(nodes.get("_:rule-label")).toMatchObject({ isPartOf: ["https://www.w3.org/TR/WCAG22/#non-text-content"] });
    expect(document).toMatchObject({ status: "canceled", description: expect.arrayContaining([expect.any(String)]) });
  });

  it("says of a rule that it passed on a page only where nothing of it was found there", async () => {
    const page = checkedPage({
      findings: {
        violations: [finding("label", { impact: "serious", elementCount: 1, elements: [element({ target: ["#a"] })] })],
        incomplete: [finding("color-contrast", { impact: "serious", elementCount: 1, elements: [element({ target: ["#b"] })] })],
        passes: ["label", "color-contrast", "document-title"].map((id) => finding(id, { elementCount: 1 })),
        inapplicable: [finding("marquee")],
      },
    });
    const { assertions } = JSON.parse(await (await exported({ owner: OWNER }, [page])).earl());
    const outcomes = assertions.map(({ test, result }: { test: string; result: { outcome: string } }) => `${test} ${result.outcome}`);
    expect(outcomes).toEqual(["_:rule-label earl:failed", "_:rule-color-contrast earl:cantTell", "_:rule-document-title earl:passed", "_:rule-marquee earl:inapplicable"]);
  });

  it("describes a rule that was left unfinished on the first page by what a later one says", async () => {
    const { "@included": nodes } = JSON.parse(await (await exported({ owner: OWNER }, [PARTIAL, CROWDED])).earl());
    const cases = nodes.filter(({ identifier }: { identifier?: string }) => identifier === "color-contrast");
    expect(cases).toMatchObject([{ title: expect.any(String), isPartOf: [expect.any(String)] }]);
  });

  it("uses only terms defined in its own context", async () => {
    const { "@context": context, ...document } = JSON.parse(await (await site()).earl());
    const prefixes = Object.keys(context);
    const check = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(check);
      if (value === null || typeof value !== "object") return;
      for (const [key, inner] of Object.entries(value)) {
        if (!key.startsWith("@")) expect(prefixes).toContain(key);
        if (key === "@type") for (const type of [inner].flat()) expect(prefixes).toContain(type);
        check(inner);
      }
    };
    check(document);
  });

  it("points into frames and shadow roots with an expression, else with a selector", async () => {
    const { assertions } = JSON.parse(await (await site()).earl());
    const pointers = assertions.flatMap(({ result }: { result: { pointer?: { "@type": string; expression: string } } }) => result.pointer ?? []);
    expect(pointers).toContainEqual({ "@type": "CSSSelectorPointer", expression: "#field-7" });
    expect(pointers).toContainEqual({ "@type": "ExpressionPointer", expression: "#host > p" });
  });
});

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
    expect([closed(document), closed.errors]).toEqual([true, null]);
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
      // Those that are counted but not listed.
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
    await criterionReviews.answer(OWNER, run, { criterion: "2.1.1", verdict: "not_fulfilled", note: "Menu" });
    const readers = { pages: createPages({ db }), findings: createFindings({ db }), reviews: createReviews({ db }), criterionReviews, reportEntitlements: { withheld: async () => NOTHING_WITHHELD } };
    const stored = await createExports({ ...readers, product: "Rampe 1.0", baseUrl: "https://rampe.example" }).facts(run);
    expect(stored.assessments).toEqual([{ criterion: "2.1.1", level: "A", verdict: "not_fulfilled", note: "Menu", by: OWNER, at: 7 }]);
  });

  it("in JSON, matching its schema", async () => {
    const document = JSON.parse(await text(jsonParts(assessed, statsOf([page]), pages())));
    expect([closed(document), closed.errors]).toEqual([true, null]);
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

describe("texts of hostile pages are harmless", () => {
  const hostile = () => exported({ owner: OWNER, crawl: CRAWL }, [hostilePage()]);

  it("in JSON, SARIF and EARL, as well-formed text of limited length", async () => {
    const { json, sarif, earl } = await hostile();
    for (const document of [await json(), await sarif(), await earl()]) {
      expect(document.isWellFormed()).toBe(true);
      expect(document.length).toBeLessThan(500_000);
      expect(document).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|\\ud[89a-f]/i);
      expect(() => void JSON.parse(document)).not.toThrow();
    }
  });

  it("in CSV, wherever a cell may begin for a spreadsheet", async () => {
    const csv = await (await hostile()).csv();
    expect(csv).not.toMatch(/(^|[\n\r;\t])[\s"]*[=+\-@]/m);
    for (const cell of readCsv(csv.slice(1)).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(csv).toContain(`'=cmd|`);
    expect(csv.length).toBeLessThan(500_000);
    expect(HOSTILE_TEXTS.length).toBeGreaterThan(5);
  });
});

test("a file is named after the site and the day", () => {
  const at = Date.UTC(2026, 10, 20, 23, 30);
  expect(exportFileName("csv", { url: "https://www.shop.example/", createdAt: at })).toBe("rampe-shop.example-2026-11-21.csv");
  expect(exportFileName("earl.json", { url: "http://127.0.0.1:3000/a", createdAt: at })).toBe("rampe-127.0.0.1-3000-2026-11-21.earl.json");
  expect(exportFileName("pdf", { url: "http://[::1]:80/", createdAt: at })).toBe("rampe-_1_-2026-11-21.pdf");
});

test("a file's name is readable for every program, and complete for those that support more than ASCII", () => {
  expect(attachment("rampe-shop.example.csv")).toBe('attachment; filename="rampe-shop.example.csv"');
  expect(attachment("rampe-möbel (neu).csv")).toBe(
    `attachment; filename="rampe-m_bel (neu).csv"; filename*=UTF-8''rampe-m%C3%B6bel%20%28neu%29.csv`,
  );
  expect(attachment('a"b\\c/d\r\nX: y')).toBe('attachment; filename="a_b_c_d__X: y"');
});

test("an address names its format by one of the known extensions", () => {
  expect(["json", "csv", "pdf", "earl.json", "sarif"].map((ending) => exportFormatOf(`/run/1/export.${ending}`))).toEqual([
    ...["json", "csv", "pdf", "earl.json", "sarif"],
  ]);
  expect(exportFormatOf("/run/1/export.constructor")).toBe(null);
  expect(exportFormatOf("/run/1/export.xml")).toBe(null);
});

/** The parts of `public/openapi.json` that name export formats. */
interface Description {
  paths: Record<string, {
    parameters: { name: string; schema: { enum?: string[] } }[];
    get: { responses: { "200": { content: Record<string, unknown> } } };
  }>;
  components: { schemas: { Run: unknown } };
}

test("the API's description names every export format with its media type", () => {
  const { paths, components } = JSON.parse(readFileSync("public/openapi.json", "utf8")) as Description;
  const operation = Object.entries(paths).find(([path]) => path.endsWith("/export.{format}"))?.[1];
  const parameter = operation?.parameters.find(({ name }) => name === "format");
  expect(parameter?.schema.enum?.toSorted()).toEqual(exportFormats.toSorted());
  const mediaTypes = exportFormats.map((format) => EXPORT_FORMATS[format].mediaType.split(";")[0]);
  expect(Object.keys(operation?.get.responses["200"].content ?? {}).sort()).toEqual(mediaTypes.toSorted());
  const links = JSON.stringify(components.schemas.Run);
  for (const format of exportFormats) expect(links, format).toContain(`"${format}":{"type":"string","format":"uri-reference"}`);
});
