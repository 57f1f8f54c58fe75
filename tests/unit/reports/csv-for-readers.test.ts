import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { csvForReaders } from "~/reports/exports/csv-for-readers.server";
import type { RunFacts } from "~/reports/exports/run";
import { noFacts } from "~/scan/crawl/facts";
import type { PageResult } from "~/scan/types";
import { hostilePage } from "../../support/reports/hostile-findings";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { readCsv } from "../../support/reports/read-csv";

const SHOP = "https://shop.example/";
const FACTS: RunFacts = {
  ...{ id: "1", url: SHOP, scope: "site", createdAt: 0, finishedAt: 1, product: "Rampe", status: "canceled" },
  standard: { version: "2.2", level: "AA" },
  engines: [],
  crawl: { ...noFacts(200), limited: true, waiting: 6 },
};
const SEPARATORS = { de: ";", en: "," } as const;

async function table(pages: PageResult[], locale: Locale, more: Partial<RunFacts> = {}) {
  async function* all() {
    for (const page of pages) yield await Promise.resolve(page);
  }
  let csv = "";
  for await (const part of csvForReaders({ ...FACTS, ...more }, all(), locale)) csv += part;
  const [head = [], ...rows] = readCsv(csv.slice(1), SEPARATORS[locale]);
  expect(rows.every((row) => row.length === head.length)).toBe(true);
  return { csv, head, records: rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index] ?? ""]))) };
}

const contrast = finding("color-contrast", { impact: "serious", tags: ["wcag2aa", "wcag143"], elementCount: 3, elements: [element({ impact: "serious" })] });
const target = finding("target-size", { impact: "serious", tags: ["wcag22aa", "wcag258"], elementCount: 1, elements: [element()] });
const PAGE = checkedPage({
  url: SHOP,
  partial: ["image-alt"],
  findings: { violations: [contrast, target], incomplete: [finding("color-contrast", { tags: ["wcag2aa", "wcag143"], elementCount: 1, elements: [element({ target: ["#hero"] })] })], passes: [], inapplicable: [] },
});
const GONE = uncheckedPage({ url: `${SHOP}gone`, reason: "http_status", detail: { httpStatus: 404 }, linkedFrom: SHOP });

describe("a table for readers", () => {
  it("has German headings, values and separators, with criterion and clause in columns of their own", async () => {
    const { csv, head, records } = await table([PAGE, GONE], "de", {
      judgementOf: ({ element: { target: [first] } }) => (first === "#hero" ? { answer: "problem", reason: "Zu blass", by: "Ada", at: Date.UTC(2026, 10, 21, 11) } : undefined),
    });
    expect(csv.startsWith("\uFEFFSeite;Ergebnis;Problem;Schweregrad;Erfolgskriterium;Stufe;EN 301 549;")).toBe(true);
    expect(head).toHaveLength(new Set(head).size);
    expect(records).toContainEqual(
      expect.objectContaining({ Ergebnis: "Verstoß", Problem: "Schrift hebt sich zu wenig ab", Schweregrad: "schwerwiegend", Erfolgskriterium: "1.4.3 Kontrast (Minimum)", Stufe: "AA", "EN 301 549": "9.1.4.3" }),
    );
    expect(records).toContainEqual(expect.objectContaining({ Regel: "target-size", "EN 301 549": "" }));
    expect(records).toContainEqual(expect.objectContaining({ Regel: "color-contrast", Einzelheiten: "2 weitere Stellen sind gezählt, aber nicht einzeln aufgeführt." }));
    expect(records).toContainEqual(
      expect.objectContaining({ Ergebnis: "Von Hand zu prüfen", "Von Hand beurteilt": "Das ist ein Problem", Begründung: "Zu blass", "Beurteilt am": "21.11.26, 12:00" }),
    );
    expect(records).toContainEqual(expect.objectContaining({ Ergebnis: "Seite nicht geprüft", Einzelheiten: "Seite nicht gefunden (Status 404)", "Verlinkt auf": SHOP }));
    expect(records).toContainEqual(expect.objectContaining({ Ergebnis: "Nicht geprüft", Einzelheiten: "Danach wurde nicht überall gesucht: Bilder ohne Beschreibung" }));
    expect(records).toContainEqual(expect.objectContaining({ Ergebnis: "Ganze Prüfung", Einzelheiten: expect.stringMatching(/^Diese Prüfung wurde abgebrochen/) }));
    expect(records).toContainEqual(expect.objectContaining({ Einzelheiten: expect.stringContaining("weitere bekannte Adressen: 6") }));
  });

  it("has English ones for English readers", async () => {
    const { head, records } = await table([PAGE, GONE], "en", {
      assessments: [{ criterion: "2.1.1", level: "A", verdict: "not_fulfilled", note: "=Menu", by: "Ben", at: 0 }],
    });
    expect(head.slice(0, 3)).toEqual(["Page", "Result", "Problem"]);
    expect(records).toContainEqual(expect.objectContaining({ Result: "Violation", Impact: "serious", "EN 301 549": "9.1.4.3" }));
    expect(records).toContainEqual(expect.objectContaining({ "Success criterion": "2.1.1 Keyboard", "EN 301 549": "9.2.1.1", "Reviewed by hand": "Not fulfilled", Reason: "'=Menu" }));
    expect(records.every(({ Result }) => Result)).toBe(true);
  });

  it("says of a page without findings that nothing was found", async () => {
    const { records } = await table([checkedPage({ url: SHOP, findings: { violations: [], incomplete: [], passes: [], inapplicable: [] } })], "de", { status: "succeeded", crawl: undefined });
    expect(records).toEqual([expect.objectContaining({ Seite: SHOP, Ergebnis: "Nichts gefunden" })]);
  });

  it.each(LOCALES)("starts no formula, whatever a page says (%s)", async (locale) => {
    const { csv, records } = await table([hostilePage()], locale);
    for (const cell of records.flatMap((record) => Object.values(record))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    // Safe also if a spreadsheet uses the other separator.
    const other = locale === "de" ? "," : ";";
    expect(csv).not.toMatch(new RegExp(`(^|[\\n\\r\\t${other}])[\\s"]*[=+\\-@]`, "m"));
    expect(csv).toContain("'=cmd|");
  });
});
