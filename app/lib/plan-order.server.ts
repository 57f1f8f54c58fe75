import { parseStartAddress, type AddressProblem, type Refuses } from "./start-address";
import { textField } from "./read-form";

export interface ParsedOrder {
  id: string;
  plan: "basic" | "pro";
  rhythm: "month" | "once";
  url: string | null;
}

/**
 * The form of a plan on `/setup`: `order`, `choice` and, where somebody has one, `url`. What is wrong with an address is
 * named as in the free check; `not_ours` is a form that no page of ours has sent.
 */
export function parsePlanOrder(form: FormData, refuses: Refuses): ParsedOrder | { problem: AddressProblem | "not_ours" } {
  const id = textField(form, "order");
  const choice = /^(basic|pro) (month|once)$/.exec(textField(form, "choice"));
  if (!/^[\w-]{16,64}$/.test(id) || !choice) return { problem: "not_ours" };
  const [, plan, rhythm] = choice as unknown as [string, "basic" | "pro", "month" | "once"];
  const typed = textField(form, "url");
  if (typed.trim() === "") return { id, plan, rhythm, url: null };
  const address = parseStartAddress(typed, refuses);
  return address.ok ? { id, plan, rhythm, url: address.url } : { problem: address.problem };
}
