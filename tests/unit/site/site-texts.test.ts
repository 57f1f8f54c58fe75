import { describe, expect, it } from "vitest";
import german from "locales/de/law.json";
import english from "locales/en/law.json";
import { engineNames } from "~/findings/engines";
import { readAxeSource } from "~/scan/rules/axe-source";
import { RULES_VERSION } from "~/scan/rules/rampe/index";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { LOCALES } from "~/platform/i18n/i18n";
import { isAhead, LAW_PAGES, type LawPageTexts } from "~/site/law/law-pages";
import { PUBLIC_PAGES } from "~/platform/i18n/public-pages";
import { infoPageAt, type Installation } from "~/site/info-pages/info-pages.server";
import { SELF_SCAN, type SelfScan } from "~/site/self-scan/self-scan";

const NOTHING_SET: Installation = {
  operator: {},
  signIn: "local",
  billing: "off",
  mail: "smtp",
  database: "sqlite",
  storage: "database",
  retentionDays: 365,
  sessionDays: 14,
  messageDays: 180,
  legal: null,
};
const NO_SCAN: SelfScan = { at: null, standard: "WCAG 2.2 AA", engine: "", pages: [] };

const textOf = (page: ReturnType<typeof infoPageAt>) => JSON.stringify(page);

it("names the rules of this version as those of the last scan of our own pages", () => {
  // After a change of the rules, run `npm run self-scan` with the server's address.
  expect(SELF_SCAN.engine).toBe(engineNames([readAxeSource().engine, { name: "rampe", version: RULES_VERSION }]));
});

describe("a page about a law", () => {
  it.each(LAW_PAGES)("lists its events in order, with the same days in both languages (%s)", (page) => {
    const [de, en]: LawPageTexts[] = [german[page], english[page]];
    const days = de?.timeline.events.map(({ on }) => on) ?? [];
    expect(days).toEqual(days.toSorted());
    expect(en?.timeline.events.map(({ on }) => on)).toEqual(days);
    expect(en?.sections.map(({ id }) => id)).toEqual(de?.sections.map(({ id }) => id));
    expect(new Set(de?.sections.map(({ id }) => id)).size).toBe(de?.sections.length);
  });

  it.each(LAW_PAGES)("links to sources over https only (%s)", (page) => {
    for (const { href } of [...german[page].resources.links, ...english[page].resources.links]) expect(href).toMatch(/^https:\/\//);
  });

  it("formats days and months correctly in any time zone", () => {
    expect(formatCalendarDate("2025-06-28", "de")).toBe("28. Juni 2025");
    expect(formatCalendarDate("2025-06-28", "en")).toBe("June 28, 2025");
    expect(formatCalendarDate("2026-11", "de")).toBe("November 2026");
  });

  it("marks future events, by day or month", () => {
    const now = Date.UTC(2026, 10, 21, 12);
    expect(["2026-11-20", "2026-11-21", "2026-11-22", "2026-11", "2026-12"].map((on) => isAhead(on, now))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});

describe("privacy and imprint", () => {
  it("say plainly if the operator is not named, and name the operator otherwise", () => {
    expect(infoPageAt("/imprint", "en", NOTHING_SET).missing).toContain("OPERATOR_NAME");
    const operator = { operatorName: "Ada GmbH", operatorAddress: "Weg 1, 12345 Ort", operatorEmail: "a@example.org" };
    const page = infoPageAt("/impressum", "de", { ...NOTHING_SET, operator });
    expect(page.missing).toBeNull();
    expect(textOf(page)).toContain("Ada GmbH");
    expect(textOf(page)).not.toContain("Telefon");
  });

  it("name the operator's terms and how prices include VAT, if something is sold", () => {
    const legal = { terms: "https://ada.example/agb", withdrawal: "/widerruf", vat: "included" } as const;
    const page = infoPageAt("/impressum", "de", { ...NOTHING_SET, legal });
    expect(page.links.map(({ href }) => href)).toEqual(["https://ada.example/agb", "/widerruf"]);
    expect(textOf(page)).toContain("inkl. MwSt.");
    const silent = infoPageAt("/impressum", "de", NOTHING_SET);
    expect(silent.links).toEqual([]);
    expect(silent.sections.map(({ heading }) => heading)).not.toContain("Preise");
  });

  it("name the configured periods", () => {
    const text = textOf(infoPageAt("/privacy", "en", { ...NOTHING_SET, retentionDays: 1_000, sessionDays: 7, messageDays: 90 }));
    expect(text).toContain("We keep your scans for 1,000 days");
    expect(text).toContain("do not use it for 7 days");
    expect(text).toContain("deleted from the database after 90 days");
    expect(text).not.toContain("{{");
  });

  it("describe a payment service, a sign-in service and stored mails, if there are any", () => {
    const texts = (more: Partial<Installation>) => textOf(infoPageAt("/privacy", "de", { ...NOTHING_SET, ...more }));
    expect(texts({})).not.toMatch(/Stripe|Anmeldedienst|als Dateien auf dem Server|kein Geld/);
    expect(texts({ billing: "stripe" })).toContain("Stripe");
    expect(texts({ billing: "demo" })).toContain("kein Geld");
    expect(texts({ signIn: "hosted", signInService: "id.example" })).toContain("der Anmeldedienst id.example");
    expect(texts({})).toContain("Wiederherstellungscodes");
    expect(texts({ signIn: "hosted" })).not.toContain("Wiederherstellungscodes");
    expect(texts({})).toContain("nach 30 Tagen nicht bestätigt");
    expect(texts({ signIn: "hosted" })).not.toContain("nach 30 Tagen nicht bestätigt");
    expect(texts({ mail: "outbox" })).toContain("als Dateien auf dem Server");
    expect(texts({})).toContain("bleibt die Adresse höchstens eine Stunde im Arbeitsspeicher");
    expect(texts({ database: "postgres" })).toContain("Gespeichert werden dafür nur Prüfwerte");
    expect(texts({ database: "postgres" })).not.toContain("im Arbeitsspeicher");
    expect(texts({})).not.toMatch(/eigenen Speicher|Speicherdienst/);
    expect(texts({ storage: "folder" })).toContain("spätestens aber nach etwa einer Woche");
    expect(texts({ storage: "folder" })).not.toContain("Speicherdienst");
    expect(texts({ storage: "s3" })).toMatch(/eigenen Speicher.*Speicherdienst/s);
  });
});

describe("our own accessibility statement", () => {
  it("shows the latest scan of our own pages with its day and its results, bad ones too", () => {
    const scan: SelfScan = {
      at: "2026-11-21",
      standard: "WCAG 2.2 AA",
      engine: "axe-core 4",
      pages: [
        { path: "/", locale: "de", title: "Start", counts: { violations: 2, incomplete: 1, passes: 40 } },
        { path: "/", locale: "en", title: "Home", counts: null },
      ],
    };
    const page = infoPageAt("/accessibility", "en", NOTHING_SET, scan);
    const section = page.sections.find(({ results }) => results.length > 0);
    expect(section?.paragraphs[0]).toContain("November 21, 2026: 2 views against WCAG 2.2 AA with axe-core 4. Rules violated: 2.");
    expect(section?.results).toEqual([
      { path: "/", title: "Home", lines: ["German: 2 violated, 1 to review, 40 passed", "English: not scanned"] },
    ]);
  });

  it("is based on a scan of all public pages in both languages", () => {
    const views = PUBLIC_PAGES.flatMap((path) => LOCALES.map((locale) => ({ path, locale })));
    expect(SELF_SCAN.pages).toEqual(views.map((view) => expect.objectContaining({ ...view, counts: expect.anything() })));
  });

  it("does not mention a scan before there is one", () => {
    const { sections } = infoPageAt("/accessibility", "en", NOTHING_SET, NO_SCAN);
    expect(sections.every(({ results }) => results.length === 0)).toBe(true);
    expect(JSON.stringify(sections)).not.toContain("own public pages on");
  });
});
