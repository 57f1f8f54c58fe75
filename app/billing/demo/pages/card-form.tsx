import { digitsOf, grouped, isExpired, parseExpiry, TEST_CARDS } from "~/billing/demo/objects/cards";
import type { Payer } from "~/billing/demo/lifecycle/checkout";
import { Field, type FieldProblem } from "./page";
import type { Texts, Voice } from "./texts";

/** Typed values, by field. */
export interface TypedCard {
  email: string;
  number: string;
  expiry: string;
  cvc: string;
}

export const NOTHING_TYPED: TypedCard = { email: "", number: "", expiry: "", cvc: "" };

export type ReadCard =
  | { is: "usable"; payer: Payer; typed: TypedCard }
  | { is: "unusable"; problems: FieldProblem[]; typed: TypedCard };

/** Numbers that no bank issues: the form may show them again after a typing mistake. */
const LIKE_A_TEST_CARD = /^4(24242|0000[08])|^\D|^\d{1,11}$/;

/**
 * Reads a posted form. A number that is not from a test card may be real: it is dropped at once, and the form does not
 * show it again.
 */
export function readCard(form: Record<string, unknown>, t: Texts, nowMs: number, withEmail: boolean): ReadCard {
  const field = (name: string) => (typeof form[name] === "string" ? form[name].trim().slice(0, 254) : "");
  const typed: TypedCard = { email: field("email"), number: field("number"), expiry: field("expiry"), cvc: field("cvc") };
  const problems: FieldProblem[] = [];
  const problem = (name: string, message: string) => problems.push({ field: name, message });

  if (withEmail && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.email)) problem("email", t.problem.email);
  const digits = digitsOf(typed.number);
  const card = TEST_CARDS.find(({ number }) => number === digits);
  if (digits === "") problem("number", t.problem.number_missing);
  else if (!card && !LIKE_A_TEST_CARD.test(digits)) {
    problem("number", t.problem.number_real);
    Object.assign(typed, { number: "", cvc: "" });
  } else if (!card) problem("number", t.problem.number_invalid);
  const expiry = parseExpiry(typed.expiry);
  if (!expiry) problem("expiry", t.problem.expiry_invalid);
  else if (isExpired(expiry, nowMs)) problem("expiry", t.problem.expiry_past);
  if (!/^\d{3,4}$/.test(typed.cvc)) problem("cvc", t.problem.cvc);

  if (problems.length > 0 || !card || !expiry) return { is: "unusable", problems, typed };
  const payer = { email: typed.email || null, last4: card.number.slice(-4), outcome: card.outcome, ...expiry };
  return { is: "usable", payer, typed };
}

interface CardFieldsProps {
  voice: Voice;
  typed: TypedCard;
  problems: FieldProblem[];
  withEmail: boolean;
}

export function CardFields({ voice, typed, problems, withEmail }: CardFieldsProps) {
  const { pay } = voice.t;
  const shared = { voice, problems };
  return (
    <>
      {withEmail && <Field id="email" label={pay.email} value={typed.email} inputMode="email" {...shared} />}
      <Field id="number" label={pay.number} hint={pay.numberHint} value={typed.number} inputMode="numeric" {...shared} />
      <Field id="expiry" label={pay.expiry} hint={pay.expiryHint} value={typed.expiry} inputMode="text" {...shared} />
      <Field id="cvc" label={pay.cvc} hint={pay.cvcHint} value={typed.cvc} inputMode="numeric" {...shared} />
    </>
  );
}

export function TestCards({ t }: { t: Texts }) {
  return (
    <section aria-labelledby="cards">
      <h2 id="cards">{t.cards.heading}</h2>
      <ul>
        {TEST_CARDS.map(({ number, outcome }) => (
          <li key={number}>
            <code>{grouped(number)}</code>: {t.cards[outcome]}
          </li>
        ))}
      </ul>
    </section>
  );
}
