import { AlreadySubscribed, AwaitingPayment, ProviderUnavailable, SeveralCustomers } from "./billing-errors";
import type { FormAnswer } from "~/platform/forms/form-answer";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";

/** Retry time in seconds, if the provider cannot be reached. */
const RETRY_AFTER = "120";

export interface OrderProblem {
  status: number;
  headers?: HeadersInit;
  notice: FormAnswer["notice"];
}

/** The message for an order that could not be started; null for errors of other kinds. */
export function orderProblem(error: unknown, locale: Locale): OrderProblem | null {
  const t = textsOf(locale).getFixedT(null, "billing");
  if (error instanceof SeveralCustomers) return { status: 409, notice: t("problem.several", { returnObjects: true }) };
  if (error instanceof AlreadySubscribed) return { status: 409, notice: t("problem.subscribed", { returnObjects: true }) };
  if (error instanceof AwaitingPayment) return { status: 409, notice: t("problem.awaiting", { returnObjects: true }) };
  if (!(error instanceof ProviderUnavailable)) return null;
  return { status: 503, headers: { "Retry-After": RETRY_AFTER }, notice: t("problem.unavailable", { returnObjects: true }) };
}
