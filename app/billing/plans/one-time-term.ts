import german from "locales/de/billing.json";
import english from "locales/en/billing.json";
import type { Locale } from "~/platform/i18n/i18n";
import { ONE_TIME_DAYS } from "./plans";

const TERMS: Record<Locale, string> = { de: german.once.term, en: english.once.term };

/** The term of a one-time payment, as text for the provider's pages. */
export const oneTimeTerm = (locale: Locale): string => TERMS[locale].replace("{{days}}", String(ONE_TIME_DAYS));
