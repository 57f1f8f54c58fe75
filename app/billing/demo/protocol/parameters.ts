import qs from "qs";
import { z } from "zod";
import { unusable, type StripeError } from "./stripe-error";

/** Parameters before validation: texts, and lists and objects of texts. */
export type RawParameters = Record<string, unknown>;

/** Reads a body or a query as Stripe does: `items[0][price]=…`, `expand[]=…`. */
export function readParameters(encoded: string): RawParameters {
  return qs.parse(encoded, { arrayLimit: 1000, depth: 20, parameterLimit: 10_000 });
}

/**
 * @throws {StripeError} 400 for missing, unknown or invalid parameters, in the order of the fields. Stripe parameters that the
 *   cashier does not support also count as unknown; they are not ignored.
 */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, raw: RawParameters): z.output<Schema> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? faultOf(issue, raw) : unusable("The request is unusable.");
}

function faultOf(issue: z.core.$ZodIssue, raw: RawParameters): StripeError {
  const param = nameOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const name = nameOf([...issue.path, issue.keys[0] ?? ""]);
    return unusable(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
  }
  if (valueAt(raw, issue.path) === undefined) {
    return unusable(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  if (issue.code === "invalid_value") {
    return unusable(`Invalid ${param}: must be one of ${issue.values.map(String).join(", ")}`, { param });
  }
  if (issue.code === "custom") {
    const code: unknown = issue.params?.code;
    return unusable(issue.message, { param, ...(typeof code === "string" ? { code } : {}) });
  }
  return unusable(`Invalid ${param}: ${issue.message}`, { param });
}

function nameOf(path: PropertyKey[]): string {
  const [first = "", ...rest] = path.map(String);
  return first + rest.map((part) => `[${part}]`).join("");
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], raw);
}

export const text = z.string().max(5000);

/** A text; an empty one deletes it. */
export const clearable = text.transform((value) => value || null);

export const integer = z.string().transform((value, context) => {
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  context.addIssue({ code: "custom", message: `Invalid integer: ${value}`, params: { code: "parameter_invalid_integer" } });
  return z.NEVER;
});

/** @param least inclusive @param most inclusive */
export function integerFrom(least: number, most = Number.MAX_SAFE_INTEGER) {
  return integer.superRefine((value, context) => {
    if (value < least) context.addIssue(`This value must be greater than or equal to ${least}.`);
    if (value > most) context.addIssue(`This value must be less than or equal to ${most}.`);
  });
}

export const truth = z.enum(["true", "false"]).transform((value) => value === "true");

export const url = text.superRefine((value, context) => {
  const [probe] = [value.replace("{CHECKOUT_SESSION_ID}", "id")];
  if (URL.canParse(probe) && /^https?:$/.test(new URL(probe).protocol)) return;
  context.addIssue({ code: "custom", message: "Not a valid URL", params: { code: "url_invalid" } });
});

export const email = text.superRefine((value, context) => {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return;
  context.addIssue({ code: "custom", message: `Invalid email address: ${value}`, params: { code: "email_invalid" } });
});

export const currency = z
  .string()
  .transform((value) => value.toLowerCase())
  .superRefine((value, context) => {
    if (!/^[a-z]{3}$/.test(value)) context.addIssue(`Invalid currency: ${value}`);
  });

/** Limits of https://docs.stripe.com/api/metadata */
const METADATA = { keys: 50, keyLength: 40, valueLength: 500 };

/** Changes to metadata: an empty value deletes a key, an empty text deletes all keys. */
export const metadata = z.union([
  z.literal(""),
  z.record(z.string(), z.string()).superRefine((pairs, context) => {
    const custom = (message: string, key: string) => context.addIssue({ code: "custom", message, path: [key] });
    for (const [key, value] of Object.entries(pairs)) {
      if (key.length > METADATA.keyLength) {
        custom(`Metadata keys can have up to ${METADATA.keyLength} characters, but one has ${key.length}.`, key);
      }
      if (value.length > METADATA.valueLength) {
        const passed = `but you passed in a value that is ${value.length} characters.`;
        custom(`Metadata values can have up to ${METADATA.valueLength} characters, ${passed}`, key);
      }
    }
  }),
]);

export type MetadataChange = z.output<typeof metadata> | undefined;

/**
 * Metadata after a change.
 * @throws {StripeError} 400 when it would have more than 50 keys
 */
export function changeMetadata(current: Record<string, string>, change: MetadataChange): Record<string, string> {
  if (change === undefined) return current;
  if (change === "") return {};
  const all = Object.entries({ ...current, ...change }).filter(([, value]) => value !== "");
  if (all.length <= METADATA.keys) return Object.fromEntries(all);
  throw unusable(`Metadata can have up to ${METADATA.keys} keys; there would be ${all.length}.`, { param: "metadata" });
}

export const expand = z.array(text).optional();

/** A point in time, or a range of it, in Unix seconds. */
const range = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
});

export const timeFilter = z.union([range, integer]);

/** Whether a time in Unix seconds matches. */
export function isWithin(time: number, filter: z.output<typeof timeFilter> | undefined): boolean {
  if (filter === undefined) return true;
  if (typeof filter === "number") return time === filter;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = filter;
  return time > gt && time >= gte && time < lt && time <= lte;
}

/** Parameters of every list. */
export const paging = {
  limit: integerFrom(1, 100).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  expand,
};

/** Parameters of every search. */
export const searching = z.strictObject({
  query: text,
  limit: integerFrom(1, 100).default(10),
  page: text.optional(),
  expand,
});
