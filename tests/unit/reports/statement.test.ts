import type { Acceptance } from "~/findings/acceptance/acceptance";
import { describe, expect, it } from "vitest";
import { readStatementForm } from "~/reports/statement/form.server";
import { statementHtml, statementText, type StatementAnswers, type StatementFacts } from "~/reports/statement/document";
import { statementFacts } from "~/reports/statement/statement.server";
import type { RuleResult } from "~/reports/report.server";
import type { CriterionReview } from "~/reports/review/verdict";
import { noFacts } from "~/scan/crawl/facts";
import { createPages } from "~/runs/page.server";
import type { Gaps } from "~/scan/types";
import { freshDatabase } from "../../support/database/database";
import { finishedRun } from "../../support/database/finished-runs";
import { checkedPage, finding } from "../../support/database/page-results";
import { statementOf } from "~/reports/statement/words.server";

const ANSWERS: StatementAnswers = {
  service: "Teekiste",
  operator: "Teekiste GmbH, Am Fleet 1, 20457 Hamburg",
  contact: "hilfe@teekiste.example",
  description: "Wir verkaufen Tee.\nUnd Kannen.",
  use: "",
  exceptions: "",
  date: "2026-11-21",
  authority: "",
  language: "de",
};
const FACTS: StatementFacts = {
  url: "https://teekiste.example/",
  checkedAt: Date.UTC(2026, 10, 20, 12),
  standard: "WCAG 2.2 AA",
  engine: "axe-core 4",
  pages: 7,
  failedPages: 1,
  inUse: false,
  gaps: { incomplete: true, onlyOne: false, levelAA: false, partial: false, notLoaded: false, concealed: false, frames: true },
  criteria: [
    { name: "1.1.1 Nicht-Text-Inhalt", beyond: false, applies: true, state: "failed", rules: ["Bilder brauchen Alternativtext"] },
    { name: "1.4.3 Kontrast", beyond: false, applies: true, state: "review", rules: [] },
    { name: "2.4.2 Seite mit Titel", beyond: false, applies: true, state: "nothing_found", rules: [] },
    { name: "2.1.1 Tastatur", beyond: false, applies: true, state: "not_tested", rules: [] },
  ],
  hasJudgedViolations: false,
  byHand: null,
  exceptions: [],
};

const textOf = (answers: Partial<StatementAnswers> = {}, facts: Partial<StatementFacts> = {}) =>
  statementText(statementOf({ ...ANSWERS, ...answers }, { ...FACTS, ...facts }));

describe("a statement", () => {
  it("names provider and offer, the law, the authority, and the way to report a barrier", () => {
    const text = textOf();
    for (const part of ["Teekiste GmbH", "Wir verkaufen Tee.", "BFSG", "EN 301 549", "MLBF", "hilfe@teekiste.example", "21. November 2026"]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("{{");
    expect(textOf({ authority: "Eine andere Behörde" })).not.toContain("MLBF");
  });

  it.each(["de", "en"] as const)("states for each criterion no more than was tested (%s)", (language) => {
    const { sections } = statementOf({ ...ANSWERS, language }, FACTS);
    const sectionsWith = (line: string) => sections.filter(({ list }) => list.some((item) => item.startsWith(line)));
    const headings = FACTS.criteria.map(({ name }) => sectionsWith(name).map(({ heading }) => heading));
    expect(headings.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(new Set(headings.flat()).size).toBe(4);
    expect(textOf({ language })).not.toMatch(/\b(is|are) (fully )?(compliant|accessible)\b|\b(ist|sind) barrierefrei\b/i);
  });

  it("separates requirements beyond the law's standard", () => {
    const criteria = [{ name: "2.5.8 Zielgröße", beyond: true, applies: true, state: "failed" as const, rules: ["Ziele brauchen Platz"] }];
    expect(textOf()).not.toContain("hinaus geprüft");
    expect(textOf({}, { criteria })).toContain("- 2.5.8 Zielgröße (über die EN 301 549 V3.2.1 hinaus geprüft): Ziele brauchen Platz");
  });

  it("names what people found out, and promises nothing by it", () => {
    const criteria = [
      { name: "1.2.6 Gebärdensprache", beyond: true, applies: false, state: "by_hand" as const, rules: [] },
      { name: "2.4.2 Seite mit Titel", beyond: false, applies: true, state: "by_hand" as const, rules: [] },
      { name: "2.1.1 Tastatur", beyond: false, applies: true, state: "failed" as const, rules: ["Das Menü geht nur mit der Maus."] },
    ];
    const text = textOf({}, { criteria, byHand: { count: 3, lastAt: Date.UTC(2026, 10, 2, 12) } });
    expect(text).toContain("Zu 3 Erfolgskriterien haben Menschen selbst nachgesehen, zuletzt am 2. November 2026.");
    expect(text).toContain("Das belegt nicht, dass es keinen gibt:\n\n- 1.2.6 Gebärdensprache (über die EN 301 549 V3.2.1 hinaus geprüft) (trifft nicht zu)\n- 2.4.2 Seite mit Titel");
    expect(text).toContain("- 2.1.1 Tastatur: Das Menü geht nur mit der Maus.");
    expect(textOf()).not.toContain("selbst nachgesehen");
  });

  it("takes a violation as one, whatever a person says", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [checkedPage()]);
    const of = (ruleId: string, category: RuleResult["category"], tag: string): RuleResult => ({ ...finding(ruleId, { tags: [tag] }), category, pages: 1, elements: 1, conditions: [null] });
    const rules = [of("image-alt", "violations", "wcag111"), of("color-contrast", "incomplete", "wcag143"), of("document-title", "passes", "wcag242")];
    const by = (verdict: CriterionReview["verdict"], note: string | null = null): CriterionReview => ({ verdict, note, by: "Ada", at: 0 });
    const verdicts = new Map([["1.1.1", by("fulfilled")], ["1.4.3", by("not_applicable")], ["2.4.2", by("not_fulfilled", "Alle\ngleich")], ["2.1.1", by("open", "?")]]);
    const { criteria, byHand } = await statementFacts(createPages({ db }), run, { rules, acceptances: [], problems: new Set(), settled: new Set(), verdicts }, "de");
    const found = (number: string) => criteria.find(({ name }) => name.startsWith(number));
    expect(found("1.1.1")).toMatchObject({ state: "failed", applies: true });
    expect(found("1.4.3")).toMatchObject({ state: "by_hand", applies: false });
    expect(found("2.4.2")).toMatchObject({ state: "failed", rules: ["Alle gleich"] });
    expect(found("2.1.1")).toMatchObject({ state: "not_tested" });
    expect(byHand).toEqual({ count: 3, lastAt: 0 });
  });

  it.each([
    ["de", "Nicht zu Ende geprüft"],
    ["en", "Not fully checked"],
  ] as const)("does not claim that nothing was found where a rule did not finish (%s)", async (language, heading) => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [checkedPage({ partial: ["document-title"] })]);
    const rules: RuleResult[] = [{ ...finding("document-title", { tags: ["wcag2a", "wcag242"] }), category: "passes", pages: 1, elements: 1, conditions: [null] }];
    const facts = await statementFacts(createPages({ db }), run, { rules, acceptances: [], problems: new Set(), settled: new Set(), verdicts: new Map() }, language);
    const { sections } = statementOf({ ...ANSWERS, language }, facts);
    expect(sections.filter(({ list }) => list.some((item) => item.startsWith("2.4.2"))).map((section) => section.heading)).toEqual([heading]);
  });

  it("keeps accepted violations as known defects, with their date; lists exceptions, and what people judged to be no barrier", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [checkedPage()]);
    const of = (ruleId: string, tag: string, elements = 0): RuleResult => ({ ...finding(ruleId, { tags: [tag] }), category: "violations", pages: elements, elements, accepted: 2, conditions: [null] });
    const rules = [of("image-alt", "wcag111"), of("color-contrast", "wcag143"), of("label", "wcag412"), of("html-has-lang", "wcag311"), of("link-name", "wcag244", 1)];
    const by = (ruleId: string, kind: Acceptance["kind"], lastDay: string | null = "2027-01-31"): Acceptance & { elements: number } => ({
      ...{ id: ruleId, scope: "rule", rule: `axe/${ruleId}`, ruleId, pageUrl: null, html: null, kind, lastDay, reason: "Zeile\neins", by: "Ada", at: 0, ended: null, isOver: false, elements: 2 },
    });
    const acceptances = [by("image-alt", "will_be_fixed"), by("color-contrast", "disproportionate_burden"), by("label", "third_party"), by("html-has-lang", "not_a_barrier", null), by("link-name", "not_a_barrier", null)];
    const facts = await statementFacts(createPages({ db }), run, { rules, acceptances, problems: new Set(), settled: new Set(), verdicts: new Map() }, "de");
    const state = (number: string) => facts.criteria.find(({ name }) => name.startsWith(number))?.state;
    expect(["1.1.1", "1.4.3", "4.1.2", "3.1.1", "2.4.4"].map(state)).toEqual(["failed", "failed", "failed", "judged", "failed"]);
    const text = statementText(statementOf(ANSWERS, facts));
    expect(text).toContain("Bilder ohne Beschreibung (soll bis zum 31. Januar 2027 behoben sein)");
    expect(text).toMatch(/- Unverhältnismäßige Belastung \(§\u00a017 BFSG\), bis zum 31\. Januar 2027: .*, 2 Stellen\. Zeile eins/);
    expect(text).toMatch(/- Inhalt von Dritten, bis zum 31\. Januar 2027: .*, 2 Stellen\. Zeile eins/);
    expect(text).toMatch(/keine Barriere\n-+\n\n.*\n\n- 3\.1\.1/);
    expect(text).not.toContain("keinen Verstoß gegen ein Erfolgskriterium gefunden");
  });

  it("leaves a criterion open that has a question too, beside violations that are accepted as no barrier, and tells of these", async () => {
    const db = await freshDatabase();
    const run = await finishedRun(db, [checkedPage()]);
    const of = (ruleId: string, category: RuleResult["category"], accepted?: number): RuleResult => ({ ...finding(ruleId, { tags: ["wcag111"] }), category, pages: 1, elements: accepted ? 0 : 1, accepted, conditions: [null] });
    const rules = [of("image-alt", "violations", 2), of("svg-img-alt", "incomplete")];
    const acceptance: Acceptance & { elements: number } = {
      ...{ id: "a", scope: "rule", rule: "axe/image-alt", ruleId: "image-alt", pageUrl: null, html: null, kind: "not_a_barrier", lastDay: null, reason: "Zierde", by: "Ada", at: 0, ended: null, isOver: false, elements: 2 },
    };
    const facts = await statementFacts(createPages({ db }), run, { rules, acceptances: [acceptance], problems: new Set(), settled: new Set(), verdicts: new Map() }, "de");
    expect(facts.criteria.find(({ name }) => name.startsWith("1.1.1"))?.state).toBe("review");
    const text = statementText(statementOf(ANSWERS, facts));
    expect(text).toContain("Verstöße gegen Erfolgskriterien gemeldet; Menschen haben sie angesehen und keinen davon als Barriere beurteilt");
    expect(text).not.toContain("keinen Verstoß gegen ein Erfolgskriterium gefunden");
  });

  it("counts a criterion as judged once people found no problem in any of its places, unless a rule did not finish", async () => {
    const db = await freshDatabase();
    const [whole, partial] = [await finishedRun(db, [checkedPage()]), await finishedRun(db, [checkedPage({ partial: ["color-contrast"] })])];
    const question = (ruleId: string): RuleResult => ({ ...finding(ruleId, { tags: ["wcag143"] }), category: "incomplete", pages: 1, elements: 1, conditions: [null] });
    const rules = [question("color-contrast"), question("rampe-drawn-contrast")];
    const stateWith = async (run: typeof whole, ...settled: string[]) => {
      const { criteria } = await statementFacts(createPages({ db }), run, { rules, acceptances: [], problems: new Set(), settled: new Set(settled), verdicts: new Map() }, "de");
      return criteria.find(({ name }) => name.startsWith("1.4.3"))?.state;
    };
    expect(await stateWith(whole, "color-contrast")).toBe("review");
    expect(await stateWith(whole, "color-contrast", "rampe-drawn-contrast")).toBe("judged");
    expect(await stateWith(partial, "color-contrast", "rampe-drawn-contrast")).toBe("unfinished");
  });

  it.each([["de", "Zahl der Stellen nicht mehr bekannt", "Eine neue Prüfung nennt ihn"], ["en", "number of places no longer known", "A new scan gives it"]] as const)("keeps exceptions whose extent is no longer known, and says so (%s)", (language, inPlace, note) => {
    const exception = { kind: "third_party" as const, rule: "Bilder", elements: null, lastDay: "2027-01-31", reason: "Karte" };
    const text = textOf({ language }, { exceptions: [exception] });
    expect([text.includes(`Bilder, ${inPlace}. Karte`), text.includes(note)]).toEqual([true, true]);
    expect(textOf({ language }, { exceptions: [{ ...exception, elements: 2 }] })).not.toContain(note);
  });

  it("says that level AA was not tested if only level A was", () => {
    expect(textOf()).not.toContain("der Stufe AA");
    const text = textOf({}, { standard: "WCAG 2.2 A", gaps: { ...FACTS.gaps, levelAA: true } });
    expect(text).toContain("- alle Erfolgskriterien der Stufe AA");
  });

  it("claims no conformity without findings, and names the gaps", () => {
    const text = textOf({ language: "en" }, { criteria: [] });
    expect(text).toContain("found no violation of a success criterion. This does not prove that there is none.");
    expect(text).toContain("- 1 page that could not be checked");
    expect(text).toContain("- more pages of the website, which were not visited");
    expect(text).not.toContain("all other pages");
  });

  it("says that pages were not visited if the start page led to another site", async () => {
    const db = await freshDatabase();
    const isIncomplete = async (ledElsewhere: string | null) => {
      const run = await finishedRun(db, [checkedPage()], { crawl: { ...noFacts(200), pages: 1, ledElsewhere } });
      return (await statementFacts(createPages({ db }), run, { rules: [], acceptances: [], problems: new Set(), settled: new Set(), verdicts: new Map() }, "de")).gaps.incomplete;
    };
    expect([await isIncomplete(null), await isIncomplete("https://other.example/")]).toEqual([false, true]);
  });

  it.each<[string, Partial<Gaps>]>([
    ["did not finish loading", { unfinished: true }],
    ["may have shown more later", { late: ["requests"] }],
    ["was checked without what was to be waited for", { missing: { selector: "#menu", waitedMs: 5_000 } }],
  ])("names parts of a page that %s as not tested", async (_what, gaps) => {
    const db = await freshDatabase();
    const textWith = async (of: Partial<Gaps>) => {
      const run = await finishedRun(db, [checkedPage({ gaps: { ...checkedPage().gaps, ...of } })]);
      const facts = await statementFacts(createPages({ db }), run, { rules: [], acceptances: [], problems: new Set(), settled: new Set(), verdicts: new Map() }, "de");
      return statementText(statementOf(ANSWERS, facts));
    };
    expect(await textWith({})).not.toContain("noch nicht geladen");
    expect(await textWith(gaps)).toContain("- Teile von Seiten, die zum Zeitpunkt der Prüfung möglicherweise noch nicht geladen oder erschienen waren");
  });

  it("contains no active markup from typed text in the HTML file", () => {
    const html = statementHtml(statementOf({ ...ANSWERS, service: `<img src=x onerror="x">` }, FACTS));
    expect(html).toContain(`<html lang="de">`);
    expect(html).not.toContain("<img");
    expect(html).toContain("Wir verkaufen Tee.<br>\nUnd Kannen.");
  });
});

describe("the form of a statement", () => {
  const readForm = (fields: Record<string, string>) => readStatementForm(new URLSearchParams(fields), "2026-11-20");

  it("reports no problem before sending, then what is missing, and keeps the input", () => {
    expect(readForm({})).toEqual({ typed: {}, answers: null, problems: [] });
    const { typed, answers, problems } = readForm({ service: "Teekiste", operator: " ", date: "morgen", language: "fr" });
    expect(answers).toBeNull();
    expect(typed).toEqual({ service: "Teekiste", operator: " ", date: "morgen", language: "fr" });
    expect(problems).toEqual([
      { field: "operator", problem: "operator_missing" },
      { field: "contact", problem: "contact_missing" },
      { field: "description", problem: "description_missing" },
      { field: "date", problem: "date_unknown" },
      { field: "language", problem: "language_unknown" },
    ]);
  });

  it("accepts complete answers", () => {
    expect(readForm({ ...ANSWERS }).answers).toEqual(ANSWERS);
  });

  it("refuses a date before that of the check", () => {
    expect(readForm({ ...ANSWERS, date: "2026-11-20" }).problems).toEqual([]);
    expect(readForm({ ...ANSWERS, date: "21.11.2026" }).answers).toMatchObject({ date: "2026-11-21" });
    expect(readForm({ ...ANSWERS, date: "2026-11-19" }).problems).toEqual([{ field: "date", problem: "date_before_check" }]);
  });

  it("counts characters as a reader does, and refuses invisible text", () => {
    const read = (answers: Partial<StatementAnswers>) => readForm({ ...ANSWERS, ...answers });
    expect(read({ use: "😀".repeat(1_500), service: "ü".repeat(300) }).problems).toEqual([]);
    expect(read({ use: "x".repeat(1_501), service: "x".repeat(301) }).problems).toEqual([
      { field: "service", problem: "line_long" },
      { field: "use", problem: "text_long" },
    ]);
    expect(read({ service: "Tee\nkiste\0", operator: "GmbH\r\nAm Fleet\0", use: " \n " }).answers).toMatchObject({
      service: "Tee kiste",
      operator: "GmbH\nAm Fleet",
      use: "",
    });
  });
});
