/** Answer of an action that refuses a form: the typed values and their errors. */
export interface FormAnswer {
  /** Values by field name, without passwords. */
  values: Partial<Record<string, string>>;
  /** Errors in the order of the fields. */
  errors: { field: string; message: string }[];
  /** Problem that no entry causes. */
  notice: { heading: string; text: string } | null;
  /** True if secret fields were filled in: they are never sent back and must be typed again. */
  hadSecrets?: boolean;
}

/** Answer that fills in a form kept during a sign-in. */
export const keptAnswer = (kept: FormAnswer["values"] | null): FormAnswer | undefined => (kept ? { values: kept, errors: [], notice: null } : undefined);

export const errorOf = (answer: FormAnswer | undefined, field: string): string | undefined =>
  answer?.errors.find((error) => error.field === field)?.message;

/** Fields that are never sent back, by name. */
export const SECRET_FIELD = /password|cookie/i;

/** Fields of a form that may be kept: neither files nor secrets. */
export const plainFields = (form: FormData): [string, string][] => [...form].filter((field): field is [string, string] => typeof field[1] === "string" && !SECRET_FIELD.test(field[0]));

/** Field of a form kept during a sign-in. It says that secret fields were filled in. */
export const HAD_SECRETS = "hadSecrets";
