/** English texts of our own rules, by id. */
export interface RuleTexts {
  rules: Record<string, { help: string; description: string }>;
  /** Messages of each rule by outcome and key, with placeholders in axe-core's form: `${data.name}`. */
  checks: Record<string, RuleMessages>;
  /** Names of success criteria by number, as W3C writes them. */
  criteria: Record<string, string>;
}

export interface RuleMessages {
  fail?: Record<string, string>;
  incomplete?: Record<string, string>;
}
