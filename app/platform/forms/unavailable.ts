/** What a form needs does not answer at the moment; a later attempt may succeed. */
export abstract class Unavailable extends Error {
  /** `busy`: password hashing; `identity`: the hosted provider. */
  abstract readonly kind: "busy" | "identity";
}
