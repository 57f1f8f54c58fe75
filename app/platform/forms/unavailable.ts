/** Error of a service that a form needs and that does not answer at the moment; a retry may succeed. */
export abstract class Unavailable extends Error {
  /** `busy`: password hashing; `identity`: the hosted provider. */
  abstract readonly kind: "busy" | "identity";
}
