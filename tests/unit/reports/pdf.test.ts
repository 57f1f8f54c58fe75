import { Parser } from "htmlparser2";
import { describe, expect, test } from "vitest";
import type { Review } from "~/reports/review/answer";
import { createEvidence } from "~/findings/evidence.server";
import type { EvidenceState } from "~/findings/evidence-state";
import { createPages } from "~/runs/page.server";
import { NOTHING_WITHHELD } from "~/reports/report-entitlement.server";
import type { AnswerOf } from "~/reports/review/review.server";
import type { CriterionReviews } from "~/reports/review/verdict";
import { createAcceptances } from "~/findings/acceptance/acceptances.server";
import { createReports } from "~/reports/report.server";
import { createPdfPrinter } from "~/reports/pdf/printer.server";
import type { ReportCover } from "~/reports/report-cover.server";
import type { OnlineReport } from "~/reports/pdf/report-view";
import { createReportPdfs } from "~/reports/pdf/run-report.server";
import { noFacts } from "~/scan/crawl/facts";
import type { PageResult } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { addUsers, finishedRun, type FinishedRun } from "../../support/database/finished-runs";
import { hostilePage } from "../../support/reports/hostile-findings";
import { checkedPage, element, finding, uncheckedPage } from "../../support/database/page-results";

/** Printed document. */
async function documentOf(
  order: FinishedRun,
  results: PageResult[],
  locale: "de" | "en" = "de",
  { answerOf = () => undefined, verdicts = new Map(), shared, cover = null, acceptedRule, name }: { name?: string; answerOf?: AnswerOf; verdicts?: CriterionReviews; shared?: OnlineReport; cover?: ReportCover | null; acceptedRule?: string } = {},
): Promise<string> {
  const db = await freshDatabase();
  const run = await finishedRun(db, results, { at: Date.UTC(2026, 10, 21), ...order });
  const acceptances = createAcceptances({ db, now: () => Date.UTC(2026, 10, 26) });
  if (acceptedRule !== undefined) {
    await addUsers(db, "ada");
    if (name !== undefined) await db.updateTable("user").set({ name }).execute();
    await acceptances.accept("ada", run, { scope: "rule", rule: { source: "axe", ruleId: acceptedRule }, element: null }, { kind: "disproportionate_burden", lastDay: "2027-01-31", reason: "Zu <b>teuer</b>" });
  }
  const pdfs = createReportPdfs({
    reports: createReports({ db }),
    pages: createPages({ db }),
    evidence: createEvidence({ db }),
    reviews: { answersOf: async () => answerOf },
    acceptances,
    criterionReviews: { ofRun: async () => verdicts },
    reportEntitlements: { withheld: async () => NOTHING_WITHHELD },
    reportCovers: { shownFor: async () => cover },
    printer: { print: async () => null },
    log: () => {},
    operator: "Beispiel GmbH",
    baseUrl: "https://rampe.example",
  });
  return pdfs.html(run, locale, shared);
}

interface Parsed {
  tags: { name: string; attributes: Record<string, string> }[];
  headings: { level: number; text: string }[];
  text: string;
}

function parse(html: string): Parsed {
  const parsed: Parsed = { tags: [], headings: [], text: "" };
  let heading: { level: number; text: string } | null = null;
  let isStyle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      parsed.tags.push({ name, attributes });
      isStyle = name === "style";
      const [, level] = /^h([1-6])$/.exec(name) ?? [];
      if (level) parsed.headings.push((heading = { level: Number(level), text: "" }));
    },
    ontext(text) {
      if (isStyle) return;
      parsed.text += text;
      if (heading) heading.text += text;
    },
    onclosetag(name) {
      isStyle = false;
      if (/^h[1-6]$/.test(name)) heading = null;
    },
  });
  parser.end(html);
  return parsed;
}

/** Letters for a number: they make different components, unlike numbers. */
const letters = (index: number) => String.fromCharCode(97 + Math.floor(index / 10), 97 + (index % 10));

const crowded = checkedPage({
  title: "Möbelhaus",
  findings: {
    violations: [
      finding("image-alt", {
        impact: "critical",
        elementCount: 1_200,
        elements: Array.from({ length: 40 }, (_, index) => element({ html: `<img class="${letters(index)}">`, target: [`.${letters(index)}`] })),
      }),
      finding("region", { impact: "moderate", tags: ["best-practice"], elementCount: 3, elements: [element(), element(), element()] }),
    ],
    incomplete: [finding("color-contrast", { impact: "serious", tags: ["wcag2aa", "wcag143"], elementCount: 1, elements: [element()] })],
    passes: [finding("document-title", { tags: ["wcag2a", "wcag242"], elementCount: 1 })],
    inapplicable: [],
  },
});

test("a report has the verdicts of people on success criteria, and promises nothing by them", async () => {
  const verdicts: CriterionReviews = new Map([
    ["1.2.6", { verdict: "not_applicable", note: null, by: "Ada", at: 0 }],
    ["2.1.1", { verdict: "not_fulfilled", note: "Menü", by: "Ada", at: 0 }],
    ["2.2.1", { verdict: "open", note: "?", by: "Ada", at: 0 }],
  ]);
  const standard = { version: "2.2", level: "AAA" } as const;
  const { text } = parse(await documentOf({ standard }, [checkedPage()], "de", { verdicts }));
  expect(text).toContain("2 von 86 Kriterien haben Menschen von Hand beurteilt. Auch das sagt nicht");
  expect(text).toMatch(/2\.1\.1 Tastatur.*?nicht erfüllt/);
  expect(parse(await documentOf({ standard }, [checkedPage()])).text).not.toContain("von Hand beurteilt");
});

test("a report does not claim that nothing was found for a criterion with a rule that did not finish", async () => {
  const page = { ...crowded, partial: ["document-title"] };
  expect(parse(await documentOf({}, [page])).text).toMatch(/9\.2\.4\.2\s*nicht zu Ende geprüft/);
  expect(parse(await documentOf({}, [page], "en")).text).toMatch(/9\.2\.4\.2\s*not fully checked/);
});

test("a report says in its reader's language what to fix first, and how to find it", async () => {
  const german = parse(await documentOf({}, [crowded]));
  const english = parse(await documentOf({}, [crowded], "en"));
  expect(german.tags.find(({ name }) => name === "html")?.attributes.lang).toBe("de");
  expect(english.tags.find(({ name }) => name === "html")?.attributes.lang).toBe("en");
  expect(german.text).toContain("2 verletzte Regeln mit 1.203 Stellen gefunden. Geprüft wurde 1 Seite.");
  expect(german.text).toContain("1. Bilder");
  expect(english.text).toContain("What to do first");
  const links = german.tags.flatMap(({ name, attributes }) => (name === "a" && attributes.href?.startsWith("#") ? [attributes.href.slice(1)] : []));
  const ids = german.tags.map(({ attributes }) => attributes.id);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) expect(ids).toContain(link);
});

test("each success criterion has its state and its clause of EN 301 549, and none is called met", async () => {
  const { text } = parse(await documentOf({}, [crowded]));
  expect(text).toContain("1.1.1 Nicht-Text-InhaltA9.1.1.1verletzt");
  expect(text).toContain("1.4.3 Kontrast (Minimum)AA9.1.4.3von Hand zu prüfen");
  expect(text).toContain("2.4.2 Seite mit Titel versehenA9.2.4.2automatisch nichts gefunden");
  expect(text).toContain("2.5.8 Zielgröße (Minimum)AAnicht enthaltennicht automatisch prüfbar");
  expect(text).not.toMatch(/\bkonform\b|\d ?%|\d von 100/);
});

test("of many elements, some are shown, the others are counted, and the report says where they are", async () => {
  const { text } = parse(await documentOf({}, [crowded]));
  expect(new Set(text.match(/<img class="[a-j]{2}">/g))).toHaveProperty("size", 5);
  expect(text).toContain("1.195 weitere Stellen sind hier nicht aufgeführt.");
  expect(text).toContain("Noch 1 gleichartige Stelle.");
});

test("gaps are reported: failed pages, rules without a result, an incomplete crawl", async () => {
  const partial = checkedPage({ url: "https://shop.example/partial", partial: ["color-contrast"] });
  const failed = uncheckedPage({ url: "https://shop.example/gone", reason: "http_status", detail: { httpStatus: 404 } });
  const crawl = { ...noFacts(200), pages: 2, known: 7, waiting: 5, limited: true, disallowed: 3 };
  const { text } = parse(await documentOf({ status: "canceled", crawl, excludedPaths: ["/intern"] }, [partial, failed]));
  expect(text).toContain("Die Prüfung wurde abgebrochen.");
  expect(text).toContain("1 Seite konnte nicht geprüft werden.");
  expect(text).toContain("(Status 404)");
  expect(text).toContain("Danach wurde nicht auf der ganzen Seite gesucht, weil die Zeit nicht reichte oder die Tastatur nicht weiterkam:");
  expect(text).toContain("5 weitere Adressen waren bekannt.");
  expect(text).toContain("3 Seiten schließt die Website in ihrer robots.txt aus.");
  expect(text).toContain("/intern");
});

test("a report mentions evidence deleted to save space", async () => {
  const textOf = async (evidence: EvidenceState) => parse(await documentOf({ evidence }, [crowded])).text;
  expect(await textOf("kept")).not.toContain("nicht mehr gespeichert");
  expect(await textOf("short")).toContain("Bilder der Fundstellen sind nicht mehr gespeichert");
  expect(await textOf("gone")).toContain("Die Fundstellen dieser Prüfung sind nicht mehr gespeichert");
});

test("both addresses of a page are named, with a warning if one is a sign-in", async () => {
  const moved = checkedPage({ url: "https://shop.example/alt", finalUrl: "https://shop.example/neu" });
  const kept = uncheckedPage({
    url: "https://shop.example/konto",
    finalUrl: "https://shop.example/login?returnTo=%2Fkonto",
    linkedFrom: "https://shop.example/alt",
    reason: "login_required",
    detail: {},
  });
  const elsewhere = [{ url: "https://shop.example/out", finalUrl: "https://partner.example/", linkedFrom: null }];
  const crawl = { ...noFacts(200), skipped: { ...noFacts(200).skipped, elsewhere: 1 }, elsewhere };
  const { text, tags } = parse(await documentOf({ crawl }, [moved, kept]));
  expect(text).toContain("https://shop.example/altWeitergeleitet nach https://shop.example/neu");
  expect(text).toContain("https://shop.example/kontoWeitergeleitet nach https://shop.example/login?returnTo=%2Fkonto");
  expect(text).toContain("Verlinkt auf https://shop.example/alt");
  expect(text).toContain("Die Adresse hat zu einer Anmeldung geführt.");
  expect(text).toContain("https://shop.example/out (weitergeleitet nach https://partner.example/)");
  const links = tags.flatMap(({ name, attributes }) => (name === "a" ? [attributes.href] : []));
  expect(links).toContain("https://shop.example/alt");
  expect(links).not.toContain("https://shop.example/konto");
  expect(text).toContain("1 Seite konnte nicht geprüft werden.");
});

test("an own cover has name, logo and colour of the account, with text that can be read", async () => {
  const logo = "data:image/png;base64,AAAA";
  const html = await documentOf({}, [checkedPage()], "de", { cover: { name: `Ada </style><script>" & Co`, color: "#ffee00", logo } });
  const { tags, text } = parse(html);
  expect(text).toContain(`Ada </style><script>" & Co`);
  expect(tags.filter(({ name }) => name === "script")).toEqual([]);
  expect(tags.filter(({ name }) => name === "style")).toHaveLength(1);
  expect(tags.find(({ attributes }) => attributes.class === "logo")?.attributes).toMatchObject({ src: logo, alt: "" });
  expect(html).toContain(".stage { background: #ffee00; }\n.stage, .kind { color: #000000; }");
  expect(text).toContain("Erstellt mit: Rampe, betrieben von Beispiel GmbH");
});

test("the cover links to the report only where others can open it, and says until when", async () => {
  const own = parse(await documentOf({}, [checkedPage()]));
  expect(own.text).toMatch(/https:\/\/rampe\.example\/run\/[\w-]+Nur mit dem Konto, mit dem die Prüfung gestartet wurde\./);
  const targets = ({ tags }: Parsed) => tags.flatMap(({ name, attributes }) => (name === "a" ? [attributes.href] : []));
  expect(targets(own).filter((href) => href?.startsWith("https://rampe.example/run/"))).toEqual([]);
  const shared = { url: "https://rampe.example/shared/abc", sharedUntil: Date.UTC(2026, 11, 21, 12) };
  const open = parse(await documentOf({}, [checkedPage()], "de", { shared }));
  expect(targets(open)).toContain(shared.url);
  expect(open.text).toContain("Für alle, die diesen Link haben; er gilt bis 21. Dezember 2026 um 13:00.");
  expect(open.text).not.toContain("rampe.example/run/");
});

test("an element is shown with its picture, its context, and a person's answer about it", async () => {
  const seen = element({ picture: Buffer.from("a picture"), context: { name: "Sessel Fjord", heading: "Angebote" } });
  const page = checkedPage({
    findings: {
      violations: [finding("image-alt", { impact: "critical", elementCount: 1, elements: [seen] })],
      incomplete: [finding("color-contrast", { impact: "serious", elementCount: 1, elements: [element()] })],
      passes: [],
      inapplicable: [],
    },
  });
  const review: Review = { answer: "ignore", reason: "Zieht im Mai um.", by: "Ada", at: 0 };
  const { tags, text } = parse(await documentOf({}, [page], "de", { answerOf: () => review }));
  const [picture] = tags.filter(({ name }) => name === "img");
  expect(picture?.attributes).toMatchObject({ src: `data:image/webp;base64,${Buffer.from("a picture").toString("base64")}` });
  expect(picture?.attributes.alt).toMatch(/^Ausschnitt von https:\/\/shop\.example\/ zu „.+“; das Element „Sessel Fjord“ ist umrandet\.$/);
  expect(text).toContain("Name: Sessel FjordUnter: Angebote");
  expect(text).toContain("Beurteilt: nicht weiter verfolgt (Ada, 1. Januar 1970 um 01:00) Zieht im Mai um.");
});

describe("what people decided", () => {
  const review: Review = { answer: "ignore", reason: "Zieht im Mai um.", by: "Ada", at: 0 };
  const answered = (by: string) => ({ answerOf: () => ({ ...review, by }), acceptedRule: "image-alt", name: by });
  const order = { owner: "ada" };

  test("has the name that a person typed, but no address for signing in, which some accounts have as a name", async () => {
    const { text } = parse(await documentOf(order, [crowded], "de", answered("Ada Lovelace")));
    expect(text).toContain("Beurteilt: nicht weiter verfolgt (Ada Lovelace, 1. Januar 1970 um 01:00)");
    expect(text).toContain("Zu <b>teuer</b> (Ada Lovelace, 26. November 2026 um 01:00)");
    const { text: unnamed } = parse(await documentOf(order, [crowded], "de", answered("ada@example.com")));
    expect(unnamed).not.toContain("@example.com");
    expect(unnamed).toContain("Beurteilt: nicht weiter verfolgt (1. Januar 1970 um 01:00)");
    expect(unnamed).toContain("Zu <b>teuer</b> (26. November 2026 um 01:00)");
  });

  test("is without names and reasons in a PDF for others, as on the page of its link", async () => {
    const shared = { url: "https://rampe.example/shared/abc", sharedUntil: Date.UTC(2026, 11, 21) };
    const { text } = parse(await documentOf(order, [crowded], "de", { ...answered("Ada Lovelace"), shared }));
    for (const secret of ["Ada Lovelace", "Zu <b>", "Zieht im Mai um.", "Beurteilt"]) expect(text).not.toContain(secret);
    expect(text).toContain("Namen und Begründungen sieht nur, wem der Bericht gehört.");
    expect(text).toContain("Die ganze RegelUnverhältnismäßige Belastung31. Januar 2027");
  });
});

test("places have the number that the report online gives them", async () => {
  const two = (path: string, names: string[]) =>
    checkedPage({ url: `https://shop.example/${path}`, findings: { violations: [finding("image-alt", { elementCount: 2, elements: names.map((name) => element({ html: `<img alt="${name}">`, target: [`.${name}`] })) })], incomplete: [], passes: [], inapplicable: [] } });
  const { text } = parse(await documentOf({}, [two("", ["aa", "bb"]), two("two", ["cc", "dd"])]));
  for (const place of ["Stelle 1: .aa", "Stelle 2: .bb", "Stelle 1: .cc", "Stelle 2: .dd"]) expect(text).toContain(place);
});

test("a run in which nothing could be checked promises nothing", async () => {
  const { text } = parse(await documentOf({ status: "failed" }, [uncheckedPage()]));
  expect(text).toContain("Keine Seite konnte geprüft werden.");
  expect(text).not.toContain("keinen Verstoß");
});

test("headings are in order, because they become the PDF's outline", async () => {
  const { headings } = parse(await documentOf({}, [crowded, uncheckedPage({ url: "https://shop.example/gone" })]));
  expect(headings[0]?.level).toBe(1);
  expect(headings.filter(({ level }) => level === 1)).toHaveLength(1);
  for (const [index, { level }] of headings.entries()) expect(level - (headings[index - 1]?.level ?? 0)).toBeLessThanOrEqual(1);
});

test("texts of hostile pages are harmless and limited in length", async () => {
  const html = await documentOf({}, [hostilePage()]);
  const { tags, text } = parse(html);
  expect(html.isWellFormed()).toBe(true);
  expect(new Set(tags.map(({ name }) => name))).not.toContain("script");
  expect(tags.filter(({ name }) => name === "style")).toHaveLength(1);
  expect(tags.filter(({ name }) => name === "img")).toHaveLength(0);
  const attributes = tags.flatMap((tag) => Object.entries(tag.attributes));
  expect(attributes.filter(([name]) => name.startsWith("on") || name === "style")).toEqual([]);
  for (const [name, value] of attributes) if (name === "href") expect(value).toMatch(/^(#|https?:)/);
  expect(text).toContain("</script><script>");
  expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  expect(text.length).toBeLessThan(60_000);
});

test("a stopped printer prints nothing, and rejects", async () => {
  const printer = createPdfPrinter({ executablePath: "/nowhere", log: () => {} });
  await printer.stop();
  await expect(printer.print("run", async () => "<p>")).rejects.toThrow("stopped");
});

test("too many PDF requests at once are refused", async () => {
  const printer = createPdfPrinter({ executablePath: "/nowhere", log: () => {} });
  const asked = Array.from({ length: 8 }, () => printer.print("run", async () => "<p>").catch(() => "failed"));
  expect(await Promise.all(asked)).toEqual([...Array.from({ length: 6 }, () => "failed"), null, null]);
});

test("whoever leaves while waiting for a PDF makes room for the next", async () => {
  const printer = createPdfPrinter({ executablePath: "/nowhere", log: () => {} });
  const leaving = new AbortController();
  const asked = Array.from({ length: 6 }, () => printer.print("run", async () => "<p>", leaving.signal).catch(() => "left"));
  expect(await printer.print("run", async () => "<p>")).toBeNull();
  leaving.abort();
  const next = printer.print("run", async () => "<p>").catch(() => "failed");
  expect([...(await Promise.all(asked)), await next]).toEqual([...Array.from({ length: 6 }, () => "left"), "failed"]);
});

test.each([
  ["de", "0 offene Verstöße, 1 akzeptierte Stelle. Akzeptiert heißt nicht behoben.", "Unverhältnismäßige Belastung: Zu <b>teuer</b> (ada, 26. November 2026", "31. Januar 2027"],
  ["en", "0 open violations, 1 accepted place. Accepted does not mean fixed.", "Disproportionate burden: Zu <b>teuer</b> (ada, November 26, 2026", "January 31, 2027"],
] as const)("what is accepted is listed, and no success is claimed because of it (%s)", async (locale, verdict, reason, day) => {
  const { text, headings } = parse(await documentOf({}, [checkedPage()], locale, { acceptedRule: "image-alt" }));
  for (const said of [verdict, reason, day]) expect(text).toContain(said);
  expect(text).not.toMatch(/keinen Verstoß gefunden|Keine Funde|found no violation|No findings/);
  expect(headings.map(({ text: heading }) => heading)).toContain(locale === "de" ? "Akzeptiert" : "Accepted");
  expect(parse(await documentOf({}, [checkedPage()], locale)).headings.map(({ text: heading }) => heading)).not.toContain(locale === "de" ? "Akzeptiert" : "Accepted");
});
