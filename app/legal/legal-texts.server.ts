import { readFileSync } from "node:fs";
import path from "node:path";
import { textsOf } from "~/platform/i18n/i18n.server";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { readMarkdown } from "./markdown.server";
import { LEGAL_TEXTS, type LegalDocument, type LegalLinks, type LegalTextKey } from "./legal-pages";
import type { VatKind } from "~/platform/vat-kind";
import { pathIn } from "~/platform/i18n/search-pages";

export interface LegalOptions {
  /** Folder with text files: `terms.de.md`, `terms.en.md`, `withdrawal.de.md`, `withdrawal.en.md`. */
  folder: string;
  baseUrl: string;
  /** Addresses of external texts; they take precedence over files. */
  addresses: Partial<Record<LegalTextKey, string>>;
  vat?: VatKind;
}

/** Operator's texts and settings about purchases, read at the start of the server. */
export interface LegalTexts {
  vat: VatKind | null;
  links(locale: Locale): LegalLinks;
  /** External address of a text; null if none is set. */
  address(key: LegalTextKey): string | null;
  /** Text in the requested language, else in the other one; null if there is no file. */
  document(key: LegalTextKey, locale: Locale): LegalDocument | null;
  /** Lines below a letter or an order, as plain text with absolute addresses. */
  lines(locale: Locale): string[];
  /** Variables that must be set (or replaced by files) before anything is sold. */
  missing: string[];
}

/** @throws {Error} for an existing file that cannot be read */
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
