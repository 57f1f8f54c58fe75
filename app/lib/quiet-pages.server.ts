import german from "locales/de/pages.json";
import english from "locales/en/pages.json";
import { textsOf } from "./i18n.server";
import type { Locale } from "./i18n";
import { quietPageOf } from "./quiet-pages";
import type { PageMeta } from "./page-meta";

const TEXTS: Record<Locale, typeof english> = { de: german, en: english };

/** What an operator must have filled in before a page is complete. */
const NEEDED: Partial<Record<string, (keyof Operator)[]>> = {
  contact: ["operatorEmail"],
  imprint: ["operatorName", "operatorAddress", "operatorEmail"],
  privacy: ["operatorName", "operatorAddress", "operatorEmail"],
  accessibility: ["operatorEmail"],
};

/** Who runs this installation, as far as they say. */
export interface Operator {
  operatorName?: string;
  operatorAddress?: string;
  operatorEmail?: string;
  operatorPhone?: string;
}

export interface QuietPageTexts {
  meta: PageMeta;
  title: string;
  lead: string;
  /** Said when the operator has not filled in what this page should name. */
  missing: string | null;
  sections: { heading: string; paragraphs: string[]; list: string[] }[];
  links: { label: string; href: string; lang: string }[];
}

/** A page of plain text, with the operator's data put in and whatever they left out taken away. */
export function quietPageAt(pathname: string, locale: Locale, operator: Operator): QuietPageTexts {
  const key = quietPageOf(pathname);
  const page = TEXTS[locale][key];
  const fill = (texts: readonly string[]) => texts.map((text) => fillIn(text, operator)).filter((text) => text !== null);
  const incomplete = NEEDED[key]?.some((name) => !operator[name]) ?? false;

  return {
    meta: { title: textsOf(locale).t("title", { page: page.title }), description: page.description },
    title: page.title,
    lead: page.lead,
    missing: incomplete && "missing" in page ? page.missing : null,
    sections: page.sections
      .map(({ heading, paragraphs, list }) => ({ heading, paragraphs: fill(paragraphs), list: fill(list) }))
      .filter(({ paragraphs, list }) => paragraphs.length + list.length > 0),
    links: page.links,
  };
}

/** The text with its placeholders filled, or null where one has no value. */
function fillIn(text: string, operator: Operator): string | null {
  let complete = true;
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: keyof Operator) => {
    complete &&= Boolean(operator[name]);
    return operator[name] ?? "";
  });
  return complete ? filled : null;
}
