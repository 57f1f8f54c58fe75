/** English texts of our own rules, by id. */
export interface RuleTexts {
  rules: Record<string, { help: string; description: string }>;
  /** Messages of each rule by outcome and key, with placeholders in axe-core's form: `${data.name}`. */
  checks: Record<string, RuleMessages>;
}

export interface RuleMessages {
  fail?: Record<string, string>;
  incomplete?: Record<string, string>;
}
