import type { Db } from "db/schema";
import type { RunTable } from "db/tables/runs";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Locale } from "~/platform/i18n/i18n";
import { createPdfPrinter } from "~/reports/pdf/printer.server";
import type { PageResult } from "~/scan/types";
import { newMember, visitorOf } from "../../support/accounts/accounts";
import { ENDED, subscribe } from "../../support/billing/bought";
import type { Answer } from "../../support/browser/form-browser";
import { textOf } from "../../support/browser/http";
import { sarifProblems, statementsOf } from "../../support/reports/export-validators";
import { finishedRun } from "../../support/database/finished-runs";
import { HOSTILE_TEXTS, hostilePage } from "../../support/reports/hostile-findings";
import { checkedPage, uncheckedPage } from "../../support/database/page-results";
import { browserProcesses } from "../../support/servers/processes";
import { browserPath } from "../../support/scan/scanner";
import { startServer, type TestServer } from "../../support/servers/server";
import { openSite } from "../../support/scan/site";

const FORMATS = ["json", "csv", "pdf", "earl.json", "sarif"] as const;
const NOVEMBER_21 = Date.UTC(2026, 10, 21);
const SHOP = "https://shop.example/";
const SECRET = "nur fuer den Auftraggeber";

let server: TestServer;
let db: Db;

beforeAll(async () => {
  server = await startServer({ env: { OPERATOR_NAME: "Beispiel GmbH", TRUST_PROXY: "1" } });
  db = await server.database();
});

afterAll(() => server.stop());

const results = (): PageResult[] => [
  checkedPage({ title: SECRET, lang: "de" }),
  hostilePage(),
  uncheckedPage({ url: "https://shop.example/gone", reason: "http_status", detail: { httpStatus: 404 } }),
];

async function customer(status: RunTable["status"] = "succeeded", language: Locale = "de") {
  const reader = await newMember(server, { language });
  await subscribe(db, reader, { urls: [SHOP] });
  const run = await finishedRun(db, results(), { owner: reader.id, status, at: NOVEMBER_21 });
  return { reader, run, at: (format: string) => `/run/${run.id}/export.${format}` };
}

test("the export of an account contains the findings of its scans, also after the end of the plan", async () => {
  const { reader, run, at } = await customer();
  const elsewhere = await finishedRun(db, results(), { owner: reader.id, url: "https://locked.example/", at: NOVEMBER_21 });
  await subscribe(db, reader, ENDED);
  const file = JSON.parse((await reader.get("/account/export")).text) as { runs: { id: string; report: { pages: unknown[] } | null }[] };
  const reportOf = (id: string) => file.runs.find((each) => each.id === id)?.report;
  expect(reportOf(run.id)).toEqual(JSON.parse((await reader.get(at("json"))).text));
  expect(reportOf(run.id)?.pages).toHaveLength(results().length);
  expect(reportOf(elsewhere.id)).toBeNull();
});

describe("the export of a run", () => {
  it("has its media type and a descriptive file name, and is not cached", async () => {
    const { reader, at } = await customer();
    const types = {
      json: "application/json; charset=utf-8",
      csv: "text/csv; charset=utf-8; header=present",
      pdf: "application/pdf",
      "earl.json": "application/ld+json; charset=utf-8",
      sarif: "application/sarif+json",
    };
    for (const format of FORMATS) {
      const { status, headers, text } = await reader.get(at(format));
      expect(status, format).toBe(200);
      expect(headers.get("content-type"), format).toBe(types[format]);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="rampe-shop.example-2026-11-21.${format}"`);
      expect(headers.get("cache-control"), format).toBe("private, no-store");
      expect(headers.get("x-content-type-options"), format).toBe("nosniff");
      if (format !== "pdf") expect(text, format).toContain("https://shop.example/evil");
      if (format.endsWith("json") || format === "sarif") expect(() => void JSON.parse(text)).not.toThrow();
    }
  });

  it("is valid for other tools", async () => {
    const { reader, at } = await customer();
    const read = async (format: string) => JSON.parse((await reader.get(at(format))).text) as unknown;
    expect(sarifProblems(await read("sarif"))).toEqual([]);
    const statements = await statementsOf(await read("earl.json"));
    const outcomes = statements.filter((statement) => statement.includes("<http://www.w3.org/ns/earl#outcome> <http://www.w3.org/ns/earl#"));
    expect(outcomes.length).toBeGreaterThan(2 * HOSTILE_TEXTS.length);
    expect(statements.filter((statement) => statement.includes("#type> <http://www.w3.org/ns/earl#Assertion>"))).toHaveLength(outcomes.length);
  });

  it("as PDF is tagged, in the reader's language, with a title and an outline", async () => {
    for (const [language, title] of [["de", "Prüfbericht zur Barrierefreiheit: shop.example"], ["en", "Accessibility report: shop.example"]] as const) {
      const { reader, at } = await customer("succeeded", language);
      const { text: pdf, headers } = await reader.get(at("pdf"));
      expect(headers.get("content-language")).toBe(language);
      expect(pdf.startsWith("%PDF-")).toBe(true);
      expect(pdf.trimEnd().endsWith("%%EOF")).toBe(true);
      expect(pdf).toMatch(new RegExp(`/Lang \\(${language}\\)`));
      for (const part of ["/MarkInfo", "/Marked true", "/StructTreeRoot", "/Outlines", "/DisplayDocTitle true"]) {
        expect(pdf, part).toContain(part);
      }
      expect(titleOf(pdf)).toBe(title);
      for (const active of ["/JavaScript", "/JS ", "/Launch", "/EmbeddedFile", "/OpenAction"]) expect(pdf).not.toContain(active);
    }
  });

  it("is possible for a canceled run, and says so", async () => {
    const { reader, at } = await customer("canceled");
    expect(JSON.parse((await reader.get(at("json"))).text)).toMatchObject({ run: { status: "canceled" }, stats: { pages: 3 } });
    expect((await reader.get(at("csv"))).text).toContain("Diese Prüfung wurde abgebrochen.");
  });
});

test("a PDF names a link that its owner has made for others, and no other link", async () => {
  const { reader, run, at } = await customer();
  const share = `/run/${run.id}/share`;
  await reader.post(share, { days: "7" });
  const page = (await reader.get(share)).text;
  const [, path = "", token = ""] = /href="(\/run\/[^"]+\/export\.pdf\?share=([\w-]{43}))"/.exec(page) ?? [];
  const pdf = (await reader.get(path)).text;
  expect(pdf).toContain(`/shared/${token})`);
  expect(pdf).not.toContain(`/URI (${server.origin}/run/${run.id})`);
  expect((await reader.get(at("pdf"))).text).not.toContain("/shared/");

  const other = await finishedRun(db, results(), { owner: reader.id, at: NOVEMBER_21 });
  for (const address of [`/run/${other.id}/export.pdf?share=${token}`, `${at("pdf")}?share=${"x".repeat(43)}`]) {
    expect((await reader.get(address)).status, address).toBe(404);
  }
});

test("no browser is left after printing a report", async () => {
  const { reader, at } = await customer();
  await reader.get(at("pdf"));
  // Printer's user agent; the scanner's begins with "Mozilla". Other tests may print at the same time, but not for long.
  await expect.poll(() => browserProcesses("--user-agent=Rampe ")).toEqual([]);
});

test("a printed document has no network access, and runs no scripts", async () => {
  const site = await openSite({ "/leak.png": "", "/leak.css": "", "/frame": "<!doctype html>" });
  const printer = createPdfPrinter({ executablePath: browserPath(), log: () => {} });
  try {
    const leaks = `<link rel="stylesheet" href="${site.url("/leak.css")}"><img src="${site.url("/leak.png")}"><iframe src="${site.url("/frame")}"></iframe>`;
    const script = `<script>document.title = "owned"; fetch("${site.url("/leak.png")}")</script>`;
    const html = `<!doctype html><html lang="de"><title>Bericht</title><h1>Bericht</h1>${leaks}${script}<img src="file:///etc/passwd"></html>`;
    const pdf = Buffer.from((await printer.print("run", async () => html)) ?? []).toString("latin1");
    expect(titleOf(pdf)).toBe("Bericht");
    expect(site.requests).toEqual([]);
  } finally {
    await printer.stop();
    await site.close();
  }
});

/** Text of an error page, without its reference and a waiting flash message. */
const wordsOf = ({ text }: Answer) => textOf(/<section class="error-page[^]*?<\/section>/.exec(text)?.[0] ?? "nothing").replace(/\b[0-9A-Z]{10}\b/g, "REFERENCE");

describe("an export is only for the owner", () => {
  it("a guest is asked to sign in, and returns", async () => {
    const { at } = await customer();
    const stranger = visitorOf(server);
    for (const format of FORMATS) {
      const answer = await stranger.get(at(format));
      expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(at(format))}`]);
    }
  });

  it("another user's run and a missing one are the same 404", async () => {
    const { at, run } = await customer();
    const { reader: other } = await customer();
    for (const format of FORMATS) {
      const [theirs, none] = await Promise.all([other.get(at(format)), other.get(`/run/none/export.${format}`)]);
      expect([theirs.status, none.status]).toEqual([404, 404]);
      expect(wordsOf(theirs)).toBe(wordsOf(none));
      expect(theirs.text).not.toContain(run.id);
    }
  });

  it("without an entitlement there are only plans", async () => {
    const reader = await newMember(server);
    const run = await finishedRun(db, results(), { owner: reader.id });
    for (const format of FORMATS) {
      const answer = await reader.get(`/run/${run.id}/export.${format}`);
      expect([answer.status, answer.location]).toEqual([303, "/setup"]);
    }
  });

  it.each(["locked", "running"] as const)("a run that is %s redirects to its page", async (state) => {
    const reader = await newMember(server);
    await subscribe(db, reader, { urls: [state === "locked" ? "https://other.example/" : SHOP] });
    const run = await finishedRun(db, results(), { owner: reader.id, status: state === "running" ? "running" : "succeeded" });
    for (const format of FORMATS) {
      const answer = await reader.get(`/run/${run.id}/export.${format}`);
      expect([answer.status, answer.location]).toEqual([303, `/run/${run.id}`]);
      expect(answer.text).not.toContain(SECRET);
    }
  });

  it("an unknown format is a 404", async () => {
    const { reader, at } = await customer();
    for (const format of ["xml", "json.exe", "toString"]) expect((await reader.get(at(format))).status, format).toBe(404);
  });
});

/** Title in the document information: UTF-16 in hexadecimal digits, or plain text in brackets. */
function titleOf(pdf: string): string {
  const [, hex, plain] = /\/Title (?:<FEFF([0-9A-Fa-f]+)>|\(([^)]*)\))/.exec(pdf) ?? [];
  if (plain !== undefined) return plain;
  return Buffer.from(hex ?? "", "hex").swap16().toString("utf16le");
}
