import { unusable } from "./stripe-error";

/** A condition such as `metadata['plan']:'pro'`. */
interface Clause {
  field: string;
  key: string | null;
  value: string;
}

const CLAUSE = /^\s*([a-z_.]+)(?:\[(["'])((?:\\.|(?!\2).)*)\2\])?\s*:\s*(["'])((?:\\.|(?!\4).)*)\4\s*/;

/**
 * Reads a part of Stripe's search language: equality and AND (https://docs.stripe.com/search#search-query-language).
 * @param fields searchable fields besides metadata
 * @throws {StripeError} 400 for everything else
 */
export function parseSearch(query: string, fields: string[]): (object: object) => boolean {
  const clauses: Clause[] = [];
  let rest = query;
  for (;;) {
    const [whole, field = "", , key, , value = ""] = CLAUSE.exec(rest) ?? [];
    if (whole === undefined) throw notUnderstood(query);
    if (field === "metadata" ? key === undefined : !fields.includes(field) || key !== undefined) {
      throw unusable(`Field \`${field}\` is an unsupported search field for this resource.`, { param: "query" });
    }
    clauses.push({ field, key: key === undefined ? null : unescaped(key), value: unescaped(value) });
    rest = rest.slice(whole.length);
    if (rest === "") break;
    if (!/^and\s/i.test(rest)) throw notUnderstood(query);
    rest = rest.slice("and".length);
  }
  return (object) => clauses.every((clause) => matches(object as Record<string, unknown>, clause));
}

const notUnderstood = (query: string) => unusable(`We were unable to parse your search query: ${query}`, { param: "query" });

const unescaped = (text: string) => text.replace(/\\(.)/g, "$1");

function matches(object: Record<string, unknown>, { field, key, value }: Clause): boolean {
  if (key !== null) return (object.metadata as Record<string, string> | undefined)?.[key] === value;
  const found = object[field];
  if (typeof found === "boolean" || typeof found === "number") return String(found) === value;
  return typeof found === "string" && found.toLowerCase() === value.toLowerCase();
}
