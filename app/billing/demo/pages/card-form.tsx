import { TEST_CARDS } from "~/billing/demo/objects/cards";
import type { Card } from "~/billing/demo/objects/payment-methods";
import { withValues } from "~/platform/i18n/i18n.server";
import { Field, type FieldProblem } from "./page";
import type { PageContext, Texts } from "./page-context";

/** Typed values, by field. */
interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

/** Form with the typed values and their problems. */
export interface CardForm {
  typed: TypedCard;
  problems: FieldProblem[];
}

export const EMPTY_FORM: CardForm = { typed: { number: "", expiry: "", cvc: "" }, problems: [] };

/** Numbers that no bank issues: the form may show them again after a typing mistake. */
const LIKE_A_TEST_CARD = /^4(24242|0000[08])|^\D|^\d{1,11}$/;

/**
 * Reads a posted form; the card is null if something is wrong. A number that is not of a test card may be real: it is dropped
 * immediately, and not shown again.
 */
export function readCard(form: Record<string, unknown>, t: Texts, nowMs: number): CardForm & { card: Card | null } {
  const field = (name: string) => (typeof form[name] === "string" ? form[name].trim().slice(0, 254) : "");
  const typed: TypedCard = { number: field("number"), expiry: field("expiry"), cvc: field("cvc") };
  const problems: FieldProblem[] = [];
  const problem = (name: keyof TypedCard, message: string) => problems.push({ field: name, message });

  const digits = typed.number.replace(/[\s-]/g, "");
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

  const isUsable = problems.length === 0 && card && expiry;
  return { typed, problems, card: isUsable ? { last4: card.number.slice(-4), outcome: card.outcome, ...expiry } : null };
}

/** Last month in which a card is valid, from `MM / YY`; null if it is no month. */
function parseExpiry(typed: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*[/.\- ]?\s*(?:20)?(\d{2})\s*$/.exec(typed) ?? [];
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null;
}

/** Whether a card has expired: it is valid until the end of the printed month. */
function isExpired({ month, year }: { month: number; year: number }, nowMs: number): boolean {
  return Date.UTC(year, month, 1) <= nowMs;
}

interface CardSectionProps {
  context: PageContext;
  form: CardForm;
  amount: string;
  /** Terms above the button. */
  terms?: React.ReactNode;
  /** Cancel link beside the button. */
  cancel?: React.ReactNode;
}

/** Form for a card, and the accepted cards. */
export function CardSection({ context: { t }, form: { typed, problems }, amount, terms, cancel }: CardSectionProps) {
  const { pay } = t;
  const shared = { t, problems };
  return (
    <>
      <section aria-labelledby="card">
        <h2 id="card">{pay.card}</h2>
        <form method="post" noValidate>
          <Field id="number" label={pay.number} hint={pay.numberHint} value={typed.number} inputMode="numeric" {...shared} />
          <Field id="expiry" label={pay.expiry} hint={pay.expiryHint} value={typed.expiry} inputMode="text" {...shared} />
          <Field id="cvc" label={pay.cvc} hint={pay.cvcHint} value={typed.cvc} inputMode="numeric" {...shared} />
          {terms}
          <div className="actions">
            <button className="main" name="do" value="pay">
              {withValues(pay.submit, { amount })}
            </button>{" "}
            {cancel}
          </div>
        </form>
      </section>
      <section aria-labelledby="cards">
        <h2 id="cards">{t.cards.heading}</h2>
        <ul>
          {TEST_CARDS.map(({ number, outcome }) => (
            <li key={number}>
              {/* Groups of four digits, as printed on a card. */}
              <code>{number.replace(/(.{4})(?=.)/g, "$1 ")}</code>: {t.cards[outcome]}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
