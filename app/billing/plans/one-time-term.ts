import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { ONE_TIME_DAYS } from "./plans";

/** Term of a one-time payment, as text for the provider's pages. */
export const oneTimeTerm = (locale: Locale): string => textsOf(locale).t("billing:once.term", { days: ONE_TIME_DAYS });
