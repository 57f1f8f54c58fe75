import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { attachment } from "~/platform/http/content-disposition";
import { exportFileName, streamOf } from "~/reports/exports/answer.server";
import { EXPORT_FORMATS, exportFormatOf, exportFormats } from "~/reports/exports/formats";
import { createExports } from "~/reports/exports/export.server";
import { createFindings } from "~/findings/finding.server";
import { createPages } from "~/runs/page.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createCriterionReviews } from "~/reports/review/criterion-reviews.server";
import { createReviews } from "~/reports/review/review.server";
import type { Run } from "~/runs/run";
import { noFacts } from "~/scan/crawl/facts";
import { csvParts } from "~/reports/exports/csv";
import { earlParts } from "~/reports/exports/earl";
import { jsonParts, runJson } from "~/reports/exports/json";
import { sarifLog, sarifParts } from "~/reports/exports/sarif";
import { pageText } from "~/reports/exports/text";
import type { PageResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { all, facts, isStrictlyValid, isValid, text } from "../../support/reports/export-documents";
import { finishedRun, type FinishedRun } from "../../support/database/finished-runs";
import { HOSTILE_TEXTS, hostilePage } from "../../support/reports/hostile-findings";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { readCsv } from "../../support/reports/read-csv";

const OWNER = "ada";
const CRAWL = { ...noFacts(200), pages: 3, known: 9, waiting: 6, limited: true, disallowed: 1, skipped: { ...noFacts(200).skipped, excluded: 2 } };
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

const MOVED = checkedPage({ url: "https://shop.example/old", finalUrl: "https://shop.example/new" });
const BEHIND_SIGN_IN = uncheckedPage({
  url: "https://shop.example/konto",
  finalUrl: "https://shop.example/login?returnTo=%2Fkonto",
  linkedFrom: "https://shop.example/",
  reason: "login_required",
  detail: {},
});

/** One page that redirected to another address, and one that redirected to a sign-in. */
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

describe("elements that were deleted to save space", () => {
  const thinned = (evidence: Run["evidence"]) => exported({ owner: OWNER, evidence }, [CROWDED]);

  it("are named in every format", async () => {
    const { json, csv, sarif, earl } = await thinned("gone");
    const document: unknown = JSON.parse(await json());
    expect([isStrictlyValid(document), isStrictlyValid.errors]).toEqual([true, null]);
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
    expect([isValid(document), isValid.errors]).toEqual([true, null]);
    expect([isStrictlyValid(document), isStrictlyValid.errors]).toEqual([true, null]);
    expect(document).toMatchObject({
      schema: 1,
      run: { status, maxPages: 50, leftOut: ["/private"], crawl: { limited: true, excluded: 1, skipped: { files: 0, leftOut: 2 } }, product: "Rampe 1.0" },
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
    expect(isValid({ ...runJson(facts(), []), pages: [page] })).toBe(false);
  });
});

describe("every export names the requested address and the one reached", () => {
  it("in JSON, matching its schema", async () => {
    const document = JSON.parse(await (await redirected()).json());
    expect([isStrictlyValid(document), isStrictlyValid.errors]).toEqual([true, null]);
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
    expect(physicalLocation.artifactLocation).toEqual({ uri: "/old", uriBaseId: "https://shop.example", description: { text: `Led to: ${MOVED.finalUrl}` } });
    expect(run.originalUriBaseIds).toEqual({ "https://shop.example": { uri: "https://shop.example/" } });
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
    // Failed page, and gaps of the partial one.
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

test("an export stops when its reader has left, also if nobody cancels the stream", async () => {
  const leaving = new AbortController();
  let [written, closed] = [0, false];
  async function* parts() {
    try {
      for (;;) yield `${(written += 1)} `;
    } finally {
      closed = true;
    }
  }
  const reader = streamOf(parts(), { signal: leaving.signal }).getReader();
  await reader.read();
  leaving.abort();
  const before = written;
  // Maximum number of parts that were read ahead.
  for (let reads = 0; reads < 10 && !(await reader.read()).done; reads += 1);
  expect([written, closed]).toEqual([before, true]);
});

test("an address names its format by one of the known extensions", () => {
  expect(["json", "csv", "pdf", "earl.json", "sarif"].map((ending) => exportFormatOf(`/run/1/export.${ending}`))).toEqual([
    ...["json", "csv", "pdf", "earl.json", "sarif"],
  ]);
  expect(exportFormatOf("/run/1/export.constructor")).toBe(null);
  expect(exportFormatOf("/run/1/export.xml")).toBe(null);
});

/** Parts of `public/openapi.json` with export formats. */
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
