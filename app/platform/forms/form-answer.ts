/** Answer of an action that refuses a form: the typed values and their errors. */
export interface FormAnswer {
  /** By field name; without passwords. */
  values: Partial<Record<string, string>>;
  /** In the order of the fields. */
  errors: { field: string; message: string }[];
  /** For problems that no entry causes. */
  notice: { heading: string; text: string } | null;
  /** Secret fields were filled in too: they are never sent back and must be typed again. */
  hadSecrets?: boolean;
}

/** The answer that fills in a form kept during a sign-in. */
export const keptAnswer = (kept: FormAnswer["values"] | null): FormAnswer | undefined => (kept ? { values: kept, errors: [], notice: null } : undefined);

export const errorOf = (answer: FormAnswer | undefined, field: string): string | undefined =>
  answer?.errors.find((error) => error.field === field)?.message;

/** Names of fields that are never sent back. */
export const SECRET_FIELD = /password|cookie/i;

/** Field of a form kept during a sign-in: secret fields were filled in. */
export const HAD_SECRETS = "hadSecrets";
