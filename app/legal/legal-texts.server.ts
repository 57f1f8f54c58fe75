import { readFileSync } from "node:fs";
import path from "node:path";
import { textsOf } from "~/platform/i18n/i18n.server";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { readMarkdown } from "./markdown.server";
import { LEGAL_TEXTS, type LegalDocument, type LegalLinks, type LegalTextKey } from "./legal-pages";
import type { VatKind } from "~/platform/vat-kind";
import { pathIn } from "~/platform/i18n/search-pages";

export interface LegalOptions {
  /** Has the texts that are files: `terms.de.md`, `terms.en.md`, `withdrawal.de.md`, `withdrawal.en.md`. */
  folder: string;
  baseUrl: string;
  /** Where the operator has put a text elsewhere; that counts more than a file. */
  addresses: Partial<Record<LegalTextKey, string>>;
  vat?: VatKind;
}

/** What the operator has said about purchases, as it was when the server started. */
export interface LegalTexts {
  vat: VatKind | null;
  links(locale: Locale): LegalLinks;
  /** Where a text is that is none of our pages. */
  address(key: LegalTextKey): string | null;
  /** In the language that is asked for, else in the other one; null where there is no such file. */
  document(key: LegalTextKey, locale: Locale): LegalDocument | null;
  /** A line for each thing that belongs below a letter or an order, as plain text with absolute addresses. */
  lines(locale: Locale): string[];
  /** Variables that would have to be set, or files given instead of them, before something is sold. */
  missing: string[];
}

/** @throws {Error} for a file that is there and cannot be read */
export function openLegalTexts({ folder, baseUrl, addresses, vat }: LegalOptions): LegalTexts {
  const documents = new Map<LegalTextKey, LegalDocument[]>(LEGAL_TEXTS.map((key) => [key, readAll(folder, key)]));
  const documentsOf = (key: LegalTextKey) => documents.get(key) ?? [];
  const isGiven = (key: LegalTextKey) => addresses[key] !== undefined || documentsOf(key).length > 0;

  const linkTo = (key: LegalTextKey, locale: Locale) =>
    addresses[key] ?? (documentsOf(key).length > 0 ? pathIn(locale, `/${key}`) : null);
  const links = (locale: Locale) => ({ terms: linkTo("terms", locale), withdrawal: linkTo("withdrawal", locale) });

  return {
    vat: vat ?? null,
    links,
    address: (key) => addresses[key] ?? null,
    document: (key, locale) => documentsOf(key).find((each) => each.locale === locale) ?? documentsOf(key)[0] ?? null,
    lines(locale) {
      const t = textsOf(locale).getFixedT(null, "common");
      const found = links(locale);
      const named = LEGAL_TEXTS.flatMap((key) => {
        const link = found[key];
        return link === null ? [] : [`${t(`footer.${key}`)}: ${new URL(link, baseUrl).href}`];
      });
      return [...(vat ? [t(`vat.${vat}.long`)] : []), ...named];
    },
    missing: [
      ...(isGiven("terms") ? [] : ["OPERATOR_TERMS_URL"]),
      ...(isGiven("withdrawal") ? [] : ["OPERATOR_WITHDRAWAL_URL"]),
      ...(vat ? [] : ["OPERATOR_VAT"]),
    ],
  };
}

function readAll(folder: string, key: LegalTextKey): LegalDocument[] {
  return LOCALES.flatMap((locale) => {
    const source = readIfThere(path.join(folder, `${key}.${locale}.md`));
    return source.trim() === "" ? [] : [{ locale, ...readMarkdown(source) }];
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
