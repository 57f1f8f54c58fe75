import { createHash } from "node:crypto";
import { z } from "zod";
import type { Locale } from "~/platform/i18n/i18n";
import { runId } from "./choice";
import { parseStartAddress, type AddressProblem, type Refuses } from "~/platform/web/start-address";

const WAYS = ["checkout", "link", "invoice"] as const;

const entry = z.string().default("");

/** Form of a plan, as sent by `/setup` and then `/setup/invoice`; missing values are "". */
export const orderFields = z.object({
  /** Id created with the form. */
  order: entry,
  /** Plan and rhythm, such as `pro month`. */
  choice: entry,
  url: entry,
  way: entry,
  /** Run whose result led to the order. */
  check: entry,
});
export type OrderFields = z.output<typeof orderFields>;

export interface ParsedOrder {
  /** Idempotency key: the same form with the same entries is one order; with other entries, it is another order. */
  id: string;
  plan: "basic" | "pro";
  rhythm: "month" | "once";
  url: string | null;
  checkId: string | null;
  way: (typeof WAYS)[number];
}

/** Problems of a URL have the same names as in the free check; `not_ours`: the form does not come from our pages. */
export function parsePlanOrder(
  { order, choice, url: typed, way, check }: OrderFields,
  refuses: Refuses,
  locale: Locale,
): ParsedOrder | { problem: AddressProblem | "not_ours" } {
  const [, plan, rhythm] = /^(basic|pro) (month|once)$/.exec(choice) ?? [];
  const wanted = WAYS.find((each) => each === (way || "checkout"));
  if (!/^[\w-]{16,64}$/.test(order) || !plan || !rhythm || !wanted) return { problem: "not_ours" };
  const address = typed.trim() === "" ? null : parseStartAddress(typed, refuses);
  if (address && !address.ok) return { problem: address.problem };
  const url = address?.url ?? null;
  const checkId = runId(check);
  const whole = [order, plan, rhythm, wanted, locale, url ?? "", ...(checkId ? [checkId] : [])].join("\n");
  const id = createHash("sha256").update(whole).digest("base64url").slice(0, 32);
  return { id, plan: plan as ParsedOrder["plan"], rhythm: rhythm as ParsedOrder["rhythm"], url, checkId, way: wanted };
}
