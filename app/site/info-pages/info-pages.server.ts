import { languageName } from "~/platform/i18n/language-name";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { textsOf, withValues } from "~/platform/i18n/i18n.server";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import { infoPageOf, type InfoPageKey } from "./info-pages";
import { LEGAL_TEXTS, type LegalLinks } from "~/legal/legal-pages";
import type { VatKind } from "~/platform/vat-kind";
import type { PageMeta } from "~/platform/http/page-meta";
import { SELF_SCAN, sumUp, type ScannedPage, type SelfScan } from "~/site/self-scan/self-scan";

/** Source text of a page: with placeholders, and with sections for only some installations. */
interface PageText {
  title: string;
  description: string;
  lead: string;
  missing?: string;
  sections: SectionText[];
  links: PageLink[];
}

interface SectionText {
  heading: string;
  /** Condition: without it, the section is left out. */
  when?: string;
  paragraphs: string[];
  list: string[];
  links?: PageLink[];
  /** Texts for the results of our latest self-scan. */
  results?: { checked: string; failed: string };
}

export interface PageLink {
  label: string;
  href: string;
  /** Language of the linked page. */
  lang: string;
}

/** Settings of the operator that a complete page needs. */
const NEEDED: Partial<Record<InfoPageKey, (keyof Operator)[]>> = {
  imprint: ["operatorName", "operatorAddress", "operatorEmail"],
  privacy: ["operatorName", "operatorAddress", "operatorEmail"],
  accessibility: ["operatorEmail"],
};

/** The operator of this installation; every detail is optional. */
interface Operator {
  operatorName?: string;
  operatorAddress?: string;
  operatorEmail?: string;
  operatorPhone?: string;
}

/** Facts that differ between installations. */
export interface Installation {
  operator: Operator;
  /** Place of stored passwords: at a hosted provider or in this installation. */
  signIn: "hosted" | "local";
  /** Name of the hosted provider. */
  signInService?: string;
  billing: "stripe" | "demo" | "off";
  /** Whether mails are sent, or kept as files. */
  mail: "smtp" | "outbox";
  database: "sqlite" | "postgres";
  /** Storage of pictures and finished reports: the database, a folder, or a storage service. */
  storage: "database" | "folder" | "s3";
  retentionDays: number;
  sessionDays: number;
  messageDays: number;
  /** The operator's settings for purchases; null if nothing is sold. */
  legal: (LegalLinks & { vat: VatKind | null }) | null;
}

/** Result of our latest self-scan for one of our pages, one line per language. */
export interface PageResults {
  path: string;
  title: string;
  lines: string[];
}

export interface InfoPageTexts {
  meta: PageMeta;
  title: string;
  lead: string;
  /** Notice for missing details of the operator that this page needs. */
  missing: string | null;
  sections: { heading: string; paragraphs: string[]; list: string[]; links: PageLink[]; results: PageResults[] }[];
  links: PageLink[];
}

/** A page of plain text, with this installation's values filled in and sections that do not apply removed. */
export function infoPageAt(
  pathname: string,
  locale: Locale,
  installation: Installation,
  scan: SelfScan = SELF_SCAN,
): InfoPageTexts {
  const { operator } = installation;
  const key = infoPageOf(pathname);
  const page: PageText = textFile(locale, "pages")[key];
  const values = valuesOf(installation, scan, locale);
  const fill = (texts: readonly string[]) => texts.map((text) => fillIn(text, values)).filter((text) => text !== null);
  const incomplete = NEEDED[key]?.some((name) => !operator[name]) ?? false;
  const states = statesOf(installation);

  return {
    meta: { title: textsOf(locale).t("title", { page: page.title }), description: page.description },
    title: page.title,
    lead: page.lead,
    missing: (incomplete && page.missing) || null,
    sections: page.sections
      .filter(({ when }) => when === undefined || states.includes(when))
      .map(({ heading, paragraphs, list, links = [], results }) => ({
        heading,
        paragraphs: fill(paragraphs),
        list: fill(list),
        links,
        results: results ? resultsOf(scan, results, locale) : [],
      }))
      .filter(({ paragraphs, list }) => paragraphs.length + list.length > 0),
    links: key === "imprint" ? [...page.links, ...legalLinks(installation, locale)] : page.links,
  };
}

/** Conditions of this installation, for the `when` of sections. */
function statesOf({ signIn, billing, mail, database, storage }: Installation): string[] {
  return [signIn, billing, mail, database, storage, ...(storage === "database" ? [] : ["own-storage"])];
}

function legalLinks({ legal }: Installation, locale: Locale): PageLink[] {
  return LEGAL_TEXTS.flatMap((key) => {
    const href = legal?.[key];
    return href ? [{ label: textsOf(locale).t(`footer.${key}`), href, lang: locale }] : [];
  });
}

type Values = { [name: string]: string | undefined };

function valuesOf({ operator, ...installation }: Installation, scan: SelfScan, locale: Locale): Values {
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const { violations, incomplete } = sumUp(scan);
  return {
    ...operator,
    signInService: installation.signInService,
    prices: installation.legal?.vat ? textsOf(locale).t(`vat.${installation.legal.vat}.long`) : undefined,
    retentionDays: number(installation.retentionDays),
    sessionDays: number(installation.sessionDays),
    messageDays: number(installation.messageDays),
    scanDate: scan.at === null ? undefined : formatCalendarDate(scan.at, locale),
    scanStandard: scan.standard,
    scanEngine: scan.engine,
    scanPages: number(scan.pages.length),
    scanViolations: number(violations),
    scanIncomplete: number(incomplete),
  };
}

function resultsOf({ pages }: SelfScan, texts: NonNullable<SectionText["results"]>, locale: Locale): PageResults[] {
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const lineOf = ({ locale: of, counts }: ScannedPage) => {
    const language = languageName(of, locale);
    if (!counts) return fillIn(texts.failed, { language }) ?? "";
    const { violations, incomplete, passes } = counts;
    const values = { language, violations: number(violations), incomplete: number(incomplete), passes: number(passes) };
    return fillIn(texts.checked, values) ?? "";
  };
  return pages
    .filter((page) => page.locale === locale)
    .map(({ path, title }) => ({ path, title, lines: pages.filter((page) => page.path === path).map(lineOf) }));
}

/** The text with its placeholders filled, or null if one has no value. */
function fillIn(text: string, values: Values): string | null {
  const isComplete = [...text.matchAll(/\{\{(\w+)\}\}/g)].every(([, name = ""]) => values[name]);
  return isComplete ? withValues(text, values) : null;
}
