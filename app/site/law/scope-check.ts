/** The questions of the self-check on the BFSG, with their possible answers (`law:check.question.…`). */
export const SCOPE_QUESTIONS = {
  offer: ["contract", "listed", "products", "information", "unsure"],
  audience: ["consumers", "businesses", "unsure"],
  staff: ["few", "many", "unsure"],
  money: ["small", "large", "unsure"],
} as const;

export type ScopeQuestion = keyof typeof SCOPE_QUESTIONS;
export type ScopeAnswers = { [Question in ScopeQuestion]: (typeof SCOPE_QUESTIONS)[Question][number] };

export const QUESTION_NAMES = Object.keys(SCOPE_QUESTIONS) as ScopeQuestion[];

type ScopeVerdict = "covered" | "covered-products" | "exempt" | "unclear";

/** Reason of a verdict; `law:check.reason.…` has the text and names the paragraph. */
export type ScopeReason =
  | "contract"
  | "listed"
  | "products"
  | "productsNoMicro"
  | "micro"
  | "staffMany"
  | "moneyLarge"
  | "businesses"
  | "productsBusinesses"
  | "productsAudienceUnsure"
  | "information"
  | "offerUnsure"
  | "audienceUnsure"
  | "sizeUnsure";

export interface ScopeOutcome {
  verdict: ScopeVerdict;
  reasons: ScopeReason[];
}

/** The valid answers; unknown ones are left out. */
export function readScopeAnswers(search: URLSearchParams): Partial<ScopeAnswers> {
  return Object.fromEntries(
    QUESTION_NAMES.flatMap((name) => {
      const answer = SCOPE_QUESTIONS[name].find((each) => each === search.get(name));
      return answer ? [[name, answer]] : [];
    }),
  );
}

/** Whether every question has an answer. */
export function isComplete(answers: Partial<ScopeAnswers>): answers is ScopeAnswers {
  return QUESTION_NAMES.every((name) => answers[name] !== undefined);
}

/**
 * Whether the BFSG covers an enterprise, by § 1 (offer), § 2 no. 16 and 17 (audience and size) and § 3 (3) (micro
 * enterprises). "covered" and "exempt" are an indication from the answers, not a legal decision. Enterprises that deal in
 * products have other duties (§ 6 to 13) than those that offer a service (§ 14).
 */
export function judgeScope({ offer, audience, staff, money }: ScopeAnswers): ScopeOutcome {
  if (offer === "products") {
    if (audience === "businesses") return { verdict: "unclear", reasons: ["products", "productsBusinesses"] };
    if (audience === "unsure") return { verdict: "unclear", reasons: ["products", "productsAudienceUnsure"] };
    return { verdict: "covered-products", reasons: ["products", "productsNoMicro"] };
  }
  // Size does not decide if it is unknown whether the offer is a product or a service.
  if (offer === "unsure") return { verdict: "unclear", reasons: ["offerUnsure"] };
  if (audience === "businesses") return { verdict: "exempt", reasons: ["businesses"] };
  if (staff === "few" && money === "small") return { verdict: "exempt", reasons: ["micro"] };
  if (offer === "information") return { verdict: "exempt", reasons: ["information"] };

  const size = sizeOf(staff, money);
  if (audience === "unsure") return { verdict: "unclear", reasons: [offer, "audienceUnsure", size] };
  return { verdict: size === "sizeUnsure" ? "unclear" : "covered", reasons: [offer, size] };
}

/** Reason why an enterprise is not a micro enterprise, or that its size is unknown. */
function sizeOf(staff: ScopeAnswers["staff"], money: ScopeAnswers["money"]): "staffMany" | "moneyLarge" | "sizeUnsure" {
  if (staff === "many") return "staffMany";
  return money === "large" ? "moneyLarge" : "sizeUnsure";
}

/** Number of the BFSG paragraph for each reason. */
export const PARAGRAPH_OF: Record<ScopeReason, number> = {
  contract: 2,
  listed: 1,
  products: 1,
  productsNoMicro: 3,
  micro: 3,
  staffMany: 2,
  moneyLarge: 2,
  businesses: 1,
  productsBusinesses: 1,
  productsAudienceUnsure: 1,
  information: 2,
  offerUnsure: 1,
  audienceUnsure: 1,
  sizeUnsure: 2,
};

/** The official text of a paragraph of the BFSG. */
export const paragraphAddress = (paragraph: number): string =>
  `https://www.gesetze-im-internet.de/bfsg/__${paragraph}.html`;
