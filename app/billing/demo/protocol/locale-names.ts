import { z } from "zod";

/** Languages of Stripe's pages; the pages of the cashier exist in two of them. */
export const localeName = z.enum([
  ...["auto", "bg", "cs", "da", "de", "el", "en", "en-GB", "es", "es-419", "et", "fi", "fil", "fr", "fr-CA"],
  ...["hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "mt", "nb", "nl", "pl", "pt", "pt-BR", "ro", "ru"],
  ...["sk", "sl", "sv", "th", "tr", "vi", "zh", "zh-HK", "zh-TW"],
] as const);
