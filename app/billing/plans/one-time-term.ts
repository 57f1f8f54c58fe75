import german from "locales/de/billing.json";
import english from "locales/en/billing.json";
import type { Locale } from "~/platform/i18n/i18n";
import { ONE_TIME_DAYS } from "./plans";

const TERMS: Record<Locale, string> = { de: german.once.term, en: english.once.term };

/** What a one-time payment is for, as the provider's own pages say it. */
export const oneTimeTerm = (locale: Locale): string => TERMS[locale].replace("{{days}}", String(ONE_TIME_DAYS));
