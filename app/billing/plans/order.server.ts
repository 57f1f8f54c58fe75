import { createHash } from "node:crypto";
import { z } from "zod";
import type { Locale } from "~/platform/i18n/i18n";
import { runId } from "./choice";
import { parseStartAddress, type AddressProblem, type Refuses } from "~/platform/web/start-address";

const WAYS = ["checkout", "link", "invoice"] as const;

const entry = z.string().default("");

/** A form of a plan, as `/setup` sends it and `/setup/invoice` sends it on; what is missing is "". */
export const orderFields = z.object({
  /** Made with the form. */
  order: entry,
  /** Such as `pro month`. */
  choice: entry,
  url: entry,
  way: entry,
  /** The run whose result led here. */
  check: entry,
});
export type OrderFields = z.output<typeof orderFields>;

export interface ParsedOrder {
  /** Idempotency key: the same form with the same entries is the same order; with other entries it is another order. */
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
