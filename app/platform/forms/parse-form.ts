import type { z } from "zod";

export type ParsedForm<Value> =
  | { value: Value; problems: Record<string, never> }
  /** Name of the first problem of each field, by field name. */
  | { value: null; problems: Partial<Record<string, string>> };

/**
 * Reads fields by a schema whose messages are the names of problems. Empty fields count as missing; of several fields with
 * one name, the first counts.
 */
export function parseForm<Schema extends z.ZodType>(
  fields: FormData | URLSearchParams,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  const first = new Map<string, FormDataEntryValue>();
  for (const [name, value] of fields) if (!first.has(name)) first.set(name, value);
  const parsed = schema.safeParse(Object.fromEntries([...first].filter(([, value]) => value !== "")));
  if (parsed.success) return { value: parsed.data, problems: {} };
  const problems: Partial<Record<string, string>> = {};
  for (const { path, message } of parsed.error.issues) problems[path.join(".")] ??= message;
  return { value: null, problems };
}
