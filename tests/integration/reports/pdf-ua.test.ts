import { Parser } from "htmlparser2";
import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createEvidence } from "~/findings/evidence.server";
import type { Locale } from "~/platform/i18n/i18n";
import { readName, readText } from "~/reports/pdf/file/value";
import type { WatchedStore } from "~/platform/objects/watched-store";
import { createPdfPrinter, type PdfPrinter } from "~/reports/pdf/printer.server";
import { createReportPdfs, type ReportPdfs } from "~/reports/pdf/run-report.server";
import type { ReportCover } from "~/reports/report-cover.server";
import { createReports } from "~/reports/report.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import { createPages } from "~/runs/page.server";
import type { Run } from "~/runs/run";
import type { PageResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { memoryStore } from "../../support/database/memory-store";
import { finishedRun } from "../../support/database/finished-runs";
import { hostilePage } from "../../support/reports/hostile-findings";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";
import { attributeOf, contentOf, pdfUaProblems, readDocument, textOf, type PdfDocument } from "../../support/reports/pdf-ua";
import { browserPath } from "../../support/scan/scanner";

/** Picture of one colour, 40 times 20 pixels. */
const PICTURE = Buffer.from("UklGRjAAAABXRUJQVlA4ICQAAACQAgCdASooABQAPm02mUmkIyKhIggAgA2JaQAAGrQA/vuUAAA=", "base64");

const logged: string[] = [];
let printer: PdfPrinter;

beforeAll(() => {
  printer = createPdfPrinter({ executablePath: browserPath(), log: () => {} });
});

afterAll(() => printer.stop());

async function reportOf(results: PageResult[], print: PdfPrinter["print"] = printer.print, cover: ReportCover | null = null, objects?: WatchedStore): Promise<{ pdfs: ReportPdfs; run: Run }> {
  const db = await freshDatabase();
  const run = await finishedRun(db, results, { at: Date.UTC(2026, 10, 21) });
  const pdfs = createReportPdfs({
    reports: createReports({ db }),
    pages: createPages({ db }),
    evidence: createEvidence({ db }),
    reviews: { answersOf: async () => () => undefined },
    criterionReviews: { ofRun: async () => new Map() },
    acceptances: createAcceptances({ db }),
    reportEntitlements: { withheld: async () => NOTHING_WITHHELD },
    reportCovers: { shownFor: async () => cover },
    printer: { print },
    objects,
    operator: "Beispiel GmbH",
    baseUrl: "https://rampe.example",
    log: (event) => logged.push(event),
  });
  return { pdfs, run };
}

async function printed(results: PageResult[], locale: Locale = "de", cover: ReportCover | null = null): Promise<{ bytes: Uint8Array; document: PdfDocument; html: string }> {
  const { pdfs, run } = await reportOf(results, printer.print, cover);
  const html = await pdfs.html(run, locale);
  const bytes = await pdfs.print(run, locale, new AbortController().signal);
  if (!bytes) throw new Error("nothing was printed");
  return { bytes, document: readDocument(bytes), html };
}

/** Page with many rules, whose sections have all heights. */
function longPage(): PageResult {
  const rules = axe.getRules(["wcag2a", "wcag2aa"]);
  const found = (ruleId: string, index: number) => {
    const elements = Array.from({ length: 1 + (index % 4) }, (_, each) =>
      element({
        html: `<p class="${"x".repeat((index * 37 + each * 11) % 300)}-${"abcdefgh"[each]}">`,
        ...(each === 0 && { picture: PICTURE, context: { name: `Sessel ${index}`, heading: "Angebote" } }),
      }),
    );
    return finding(ruleId, { impact: "serious", elementCount: elements.length, elements });
  };
  return checkedPage({
    title: "Les chaises",
    lang: "fr",
    findings: {
      violations: rules.slice(0, 30).map(({ ruleId }, index) => found(ruleId, index)),
      incomplete: rules.slice(30, 40).map(({ ruleId }, index) => found(ruleId, index)),
      passes: [],
      inapplicable: [],
    },
  });
}

const failed = uncheckedPage({ url: "https://shop.example/gone", reason: "http_status", detail: { httpStatus: 404 } });

test("a report conforms to PDF/UA-1, in both languages, also with the texts of hostile pages", async () => {
  const long = await printed([longPage(), failed]);
  expect(pdfUaProblems(long.bytes)).toEqual([]);
  const cover = { name: "Ada & Co", color: "#ffee00", logo: `data:image/webp;base64,${PICTURE.toString("base64")}` };
  const hostile = await printed([hostilePage(), failed], "en", cover);
  expect(pdfUaProblems(hostile.bytes)).toEqual([]);
  expect(logged).toEqual([]);
});

test("a finished report is kept in the store, but none that names a link which opens it", async () => {
  const store = memoryStore();
  const { pdfs, run } = await reportOf([checkedPage({ url: "https://shop.example/" })], printer.print, null, store);
  const { signal } = new AbortController();
  expect(await pdfs.print(run, "de", signal, { token: "secret", expiresAt: Date.UTC(2026, 11, 24) })).not.toBeNull();
  expect(store.objects.size).toBe(0);
  const first = Buffer.from((await pdfs.print(run, "de", signal)) ?? []);
  expect(store.objects.size).toBe(1);
  const again = Buffer.from((await pdfs.print(run, "de", signal)) ?? []);
  expect(again.equals(first)).toBe(true);
});

test("what Chromium prints does not, and the checks of this test see it", async () => {
  const { pdfs, run } = await reportOf([longPage()]);
  const plain = await printer.print("run", () => pdfs.html(run, "de"));
  const problems = pdfUaProblems(plain ?? new Uint8Array()).join("\n");
  for (const part of ["%PDF-1.4", "no claim", "no title in the metadata", " in 0 marks", "has no name", " in LI", "has no place"]) {
    expect(problems).toContain(part);
  }
});

test("its structure has all its text, in the order of the report", async () => {
  const { document, html } = await printed([longPage(), failed]);
  const [root] = document.elements;
  const isLabel = (type: string) => type === "Lbl";
  const read = (element: NonNullable<typeof root>): string =>
    isLabel(element.type) ? "" : element.children.length === 0 ? textOf(element) : element.children.map(read).join("");
  expect(root?.type).toBe("Document");
  expect(root && read(root).replace(/\s/g, "")).toBe(textOfHtml(html).replace(/\s/g, ""));
});

test("words on both sides of a line break are apart", async () => {
  const { document, html } = await printed([longPage()]);
  const paragraphs = document.elements.filter(({ type }) => type === "P").map((each) => textOf(each).replace(/\s+/g, " ").trim());
  const [intro = ""] = /Jede verletzte Regel[^<]+/.exec(html) ?? [];
  expect(intro.length).toBeGreaterThan(120);
  expect(paragraphs).toContain(intro.trim());
});

test("alternative texts and names of links say what they are about, and differ", async () => {
  const { document } = await printed([longPage()]);
  const figures = document.elements.filter(({ type }) => type === "Figure");
  const texts = figures.map(({ dict }) => readText(dict.get("Alt")));
  expect(texts).toHaveLength(40);
  expect(new Set(texts).size).toBe(40);

  const names = new Map<string, Set<string>>();
  for (const { dict } of document.pages) {
    const annotations = document.file.resolve(dict.get("Annots"));
    for (const annotation of Array.isArray(annotations) ? annotations : []) {
      const entries = document.file.dict(annotation);
      const name = readText(entries.get("Contents")) ?? "";
      const target = entries.has("Dest") ? readName(entries.get("Dest")) : (readText(document.file.dict(entries.get("A")).get("URI")) ?? "");
      names.set(name, (names.get(name) ?? new Set()).add(target));
    }
  }
  expect(names.size).toBeGreaterThan(40);
  for (const [name, targets] of names) expect([...targets], name).toHaveLength(1);
  expect([...names.keys()].some((name) => name.startsWith("Mehr über diese Regel: "))).toBe(true);
});

test("no heading is parted from its text by the end of a page", async () => {
  const { document } = await printed([longPage(), failed]);
  const parts = document.elements.filter(({ content }) => content.length > 0);
  const headings = document.elements.filter(({ type }) => /^H[1-6]$/.test(type));
  expect(headings.length).toBeGreaterThan(80);
  expect(document.pages.length).toBeGreaterThan(15);
  for (const heading of headings) {
    const own = contentOf(heading);
    const last = parts.findLastIndex((part) => own.includes(part.content[0] as (typeof own)[number]));
    const next = parts[last + 1];
    if (next) expect(next.content[0]?.page, textOf(heading)).toBe(own.at(-1)?.page);
  }
});

test("text of a page has its language, and the head of a long table is read once", async () => {
  const { document } = await printed([longPage()]);
  const french = document.elements.filter(({ dict }) => readText(dict.get("Lang")) === "fr");
  expect(french.map((each) => textOf(each).trim())).toContain("Les chaises");
  const heads = document.elements.filter((each) => each.type === "TH" && attributeOf(each, "Scope") === "/Column");
  for (const head of heads) expect(new Set(contentOf(head).map(({ page }) => page)).size).toBe(1);
  const repeated = document.pages.filter(({ texts }) => texts.get("artifact")?.includes("Erfolgskriterium"));
  expect(repeated.length).toBeGreaterThan(0);
});

test("a file that cannot be read is given as it was printed, and that is logged", async () => {
  const odd = Buffer.from("%PDF-1.4\nodd\n%%EOF");
  const { pdfs, run } = await reportOf([checkedPage()], async () => odd);
  expect(await pdfs.print(run, "de", new AbortController().signal)).toBe(odd);
  expect(logged.splice(0)).toEqual(["report could not be made PDF/UA"]);
});

/** Text of the body, without decoration. */
function textOfHtml(html: string): string {
  let text = "";
  let hidden = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hidden > 0 || name === "head" || attributes["aria-hidden"] === "true") hidden += 1;
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
    onclosetag() {
      if (hidden > 0) hidden -= 1;
    },
  });
  parser.end(html);
  return text;
}
