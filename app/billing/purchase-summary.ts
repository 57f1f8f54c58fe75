import type { Locale } from "~/platform/i18n/i18n";
import { formatPrice } from "./plans/plans";
import type { Purchase } from "./purchase";
import { urlUsage, type UrlUsage } from "./websites/url-usage";

/** Fields of a purchase that a summary needs. */
type Bought = Omit<Purchase, "plan" | "granted" | "urls"> & Partial<Pick<Purchase, "granted">> & { urls: Pick<Purchase["urls"][number], "id" | "origin" | "covered">[] };

/** A purchase, with its price as text. */
export interface PurchaseView extends Pick<Bought, "id" | "kind" | "entitles" | "paidFor" | "planName" | "createdAt" | "cancelAtPeriodEnd"> {
  status: string;
  price: string;
  granted: boolean;
  used: number;
  /** Null for any number. */
  limit: number | null;
  /** Unix time in ms. */
  endsAt: number | null;
}

export interface PurchaseSummary {
  purchases: PurchaseView[];
  /** Sum of purchases that entitle to new scans; null if there are none. */
  perMonth: string | null;
  paidOnce: string | null;
  /** Sum of both, as currently paid. */
  total: string | null;
  /** Names of plans that entitle to new scans. */
  plans: string;
  usage: UrlUsage[];
  /** Websites of purchases that entitle to new scans. */
  websites: { id: number; origin: string; covered: boolean }[];
}

/** A user's state: `trial` has trial scans left, `trialUsed` has none left; `ended` had a purchase that is over. */
export type Standing = "open" | "active" | "trial" | "ended" | "trialUsed" | "none";

/** @param open whether nothing is sold @param trial trial scans, used and granted */
export function standingOf(bought: Pick<Bought, "entitles" | "paidFor">[], { open, trial }: { open: boolean; trial: { used: number; limit: number } }): Standing {
  if (open) return "open";
  if (bought.some(({ entitles }) => entitles)) return "active";
  if (trial.used < trial.limit) return "trial";
  if (bought.some(({ paidFor }) => paidFor)) return "ended";
  return trial.limit > 0 ? "trialUsed" : "none";
}

/** Summary of a user's purchases for pages. Sums of several currencies are listed side by side. */
export function purchaseSummary(bought: Bought[], locale: Locale): PurchaseSummary {
  const entitling = bought.filter(({ entitles }) => entitles);
  const paid = entitling.filter(({ granted = false }) => !granted);
  const subscriptions = paid.filter(({ kind }) => kind === "subscription");
  const payments = paid.filter(({ kind }) => kind === "payment");
  return {
    purchases: bought.map((each) => ({
      id: each.id,
      kind: each.kind,
      status: awaitsPayment(each) ? "awaiting" : each.status,
      entitles: each.entitles,
      paidFor: each.paidFor,
      planName: each.planName,
      createdAt: each.createdAt,
      cancelAtPeriodEnd: each.cancelAtPeriodEnd,
      price: formatPrice(each.amount / 100, each.currency.toUpperCase(), locale),
      granted: each.granted ?? false,
      used: each.urls.length,
      limit: each.urlLimit,
      endsAt: each.kind === "payment" ? each.endsAt : each.periodEnd,
    })),
    perMonth: total(subscriptions, locale),
    paidOnce: total(payments, locale),
    total: total(paid, locale),
    plans: new Intl.ListFormat(locale).format([...new Set(entitling.map(({ planName }) => planName))]),
    usage: urlUsage(entitling),
    websites: entitling.flatMap(({ urls }) => urls.map(({ id, origin, covered }) => ({ id, origin, covered }))),
  };
}

/** Whether it awaits its payment: a subscription by invoice starts before it is paid. */
function awaitsPayment({ kind, status, entitles, byInvoice }: Bought): boolean {
  return kind === "subscription" && byInvoice && !entitles && ["active", "trialing", "past_due"].includes(status);
}

function total(bought: Bought[], locale: Locale): string | null {
  const sums = new Map<string, number>();
  for (const { amount, currency } of bought) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  const texts = [...sums].map(([currency, cents]) => formatPrice(cents / 100, currency.toUpperCase(), locale));
  return texts.length > 0 ? new Intl.ListFormat(locale).format(texts) : null;
}
