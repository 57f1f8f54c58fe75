import qs from "qs";
import { z } from "zod";
import { invalidRequest, type StripeError } from "./stripe-error";

/** Parameters before validation: texts, and lists and objects of texts. */
export type RawParameters = Record<string, unknown>;

/** Reads a body or a query in Stripe's form: `items[0][price]=…`, `expand[]=…`. */
export function readParameters(encoded: string): RawParameters {
  return qs.parse(encoded, { arrayLimit: 1000, depth: 20, parameterLimit: 10_000 });
}

/**
 * @throws {StripeError} 400 for missing, unknown or invalid parameters, in the order of the fields. Unsupported Stripe parameters
 *   also count as unknown; they are not ignored.
 */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, raw: RawParameters): z.output<Schema> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? errorOf(issue, raw) : invalidRequest("The request is unusable.");
}

function errorOf(issue: z.core.$ZodIssue, raw: RawParameters): StripeError {
  const param = nameOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const name = nameOf([...issue.path, issue.keys[0] ?? ""]);
    return invalidRequest(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
  }
  if (valueAt(raw, issue.path) === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param });
}

function nameOf(path: PropertyKey[]): string {
  const [first = "", ...rest] = path.map(String);
  return first + rest.map((part) => `[${part}]`).join("");
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw);
}

export const text = z.string().max(5000);

/** @param least inclusive @param most inclusive */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, "not an integer")
    .transform(Number)
    .pipe(z.number().min(least).max(most));
}

export const boolean = z.enum(["true", "false"]).transform((value) => value === "true");

export const url = text.refine((value) => {
  const example = value.replace("{CHECKOUT_SESSION_ID}", "id");
  return URL.canParse(example) && /^https?:$/.test(new URL(example).protocol);
}, "Not a valid URL");

export const currency = z.string().regex(/^[a-z]{3}$/, "not a currency");

/** Limits of https://docs.stripe.com/api/metadata */
const METADATA = { keys: 50, keyLength: 40, valueLength: 500 };

/** Changes to metadata: an empty value deletes a key. */
export const metadata = z.record(z.string().max(METADATA.keyLength), z.string().max(METADATA.valueLength)).optional();

export type Metadata = Record<string, string>;

/**
 * Metadata after a change.
 * @throws {StripeError} 400 for more than 50 keys
 */
export function changeMetadata(current: Metadata, change: Metadata = {}): Metadata {
  const all = Object.entries({ ...current, ...change }).filter(([, value]) => value !== "");
  if (all.length <= METADATA.keys) return Object.fromEntries(all);
  throw invalidRequest(`Metadata can have up to ${METADATA.keys} keys; there would be ${all.length}.`, { param: "metadata" });
}

export const expand = z.array(text).optional();

/** Parameters of every list. */
export const paging = { limit: integer(1, 100).default(10), starting_after: text.optional(), expand };
