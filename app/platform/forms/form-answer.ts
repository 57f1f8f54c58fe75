/** What an action that refuses a form answers: what was typed, and what is wrong with it. */
export interface FormAnswer {
  /** By the names of the fields; without passwords. */
  values: Partial<Record<string, string>>;
  /** In the order of the fields. */
  errors: { field: string; message: string }[];
  /** Where it is no entry that is wrong. */
  notice: { heading: string; text: string } | null;
  /** What is never sent back was typed as well, and has to be typed again. */
  hadSecrets?: boolean;
}

export const errorOf = (answer: FormAnswer | undefined, field: string): string | undefined =>
  answer?.errors.find((error) => error.field === field)?.message;

/** Names of fields that are never sent back. */
export const SECRET_FIELD = /password|cookie/i;
