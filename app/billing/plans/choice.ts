/** A visitor's choice before the purchase, as sent in URLs and forms; "" for no choice. */
export interface PlanChoice {
  plan: "basic" | "pro" | "";
  rhythm: "month" | "once" | "";
  /** Typed address of the website. */
  url: string;
  /** Run whose result led to the choice. */
  check: string;
}

const PLANS = ["basic", "pro"] as const;
const RHYTHMS = ["month", "once"] as const;
const LONGEST_ADDRESS = 2_048;

/** Reads a choice; unknown values count as no choice. */
export function readChoice(field: (name: keyof PlanChoice) => string | null | undefined): PlanChoice {
  return {
    plan: PLANS.find((plan) => plan === field("plan")) ?? "",
    rhythm: RHYTHMS.find((rhythm) => rhythm === field("rhythm")) ?? "",
    url: (field("url") ?? "").slice(0, LONGEST_ADDRESS),
    check: runId(field("check")) ?? "",
  };
}

export function choiceOfQuery(query: URLSearchParams): PlanChoice {
  return readChoice((name) => query.get(name));
}

/** Choice from a plan's form, whose buttons send plan and rhythm as one `choice`, such as `pro month`. */
export function choiceOfForm(field: (name: "choice" | "url" | "check") => string | undefined): PlanChoice {
  const [plan, rhythm] = (field("choice") ?? "").split(" ");
  return readChoice((name) => ({ plan, rhythm, url: field("url"), check: field("check") })[name]);
}

/** Well-formed run id; null for other text. */
export function runId(text: string | null | undefined): string | null {
  return text && /^[\w-]{22}$/.test(text) ? text : null;
}

/** Path with a choice in its query. @param path such as `/setup`, with or without a fragment */
export function choicePath(path: string, { plan = "", rhythm = "", url = "", check = "" }: Partial<PlanChoice>): string {
  const [name = "", ...fragment] = path.split(/(?=#)/);
  const entries = Object.entries({ plan, rhythm, url, check }).filter(([, value]) => value !== "");
  return `${name}${entries.length > 0 ? `?${new URLSearchParams(entries)}` : ""}${fragment.join("")}`;
}
