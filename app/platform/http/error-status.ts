import type { StorageTrouble } from "~/platform/storage-trouble";

/** Pseudo status for "the browser got no answer"; HTTP has none. */
export const NO_ANSWER = 0;

const EXPLAINED = {
  [NO_ANSWER]: "offline",
  404: "notFound",
  405: "methodNotAllowed",
  422: "unusable",
  429: "tooMany",
  500: "broken",
} as const;

/** Error page and waiting time in seconds while nothing can be written. */
const STORAGE = {
  locked: { kind: "storageLocked", retryAfter: "10" },
  unreachable: { kind: "storageUnreachable", retryAfter: "10" },
  full: { kind: "storageFull", retryAfter: "600" },
  unwritable: { kind: "storageUnwritable", retryAfter: "600" },
} as const satisfies Record<StorageTrouble, { kind: string; retryAfter: string }>;

/** Name of the texts of an error page. */
export type ErrorKind = (typeof EXPLAINED)[keyof typeof EXPLAINED] | "signInDown" | (typeof STORAGE)[StorageTrouble]["kind"];

/** The hosted sign-in service does not answer: not an error of this server or of the visitor. */
export function signInDown(): Response {
  const kind: ErrorKind = "signInDown";
  // Only a `Response` keeps its headers on an error page.
  return Response.json({ kind }, { status: 503, headers: { "Retry-After": "60" } });
}

/** A form that could not be stored and can be sent again. */
export interface UnsentForm {
  action: string;
  /** Names and values, in their order; no secrets. */
  fields: [string, string][];
}

/** Value of the header `Retry-After`. */
export const retryAfter = (trouble: StorageTrouble): string => STORAGE[trouble].retryAfter;

/** 503: nothing can be written for a while. @param form the sent form, so that it is not lost */
export function cannotStore(trouble: StorageTrouble, form: UnsentForm | null): Response {
  return Response.json({ kind: STORAGE[trouble].kind, form }, { status: 503, headers: { "Retry-After": retryAfter(trouble) } });
}

/** Kind of an error thrown by `signInDown` or `cannotStore`, as decoded by Remix. */
export function thrownKind(thrown: unknown): { kind?: ErrorKind; form?: UnsentForm | null } {
  const { kind, form } = (thrown ?? {}) as { kind?: ErrorKind; form?: UnsentForm | null };
  return kind === "signInDown" || Object.values(STORAGE).some((storage) => storage.kind === kind) ? { kind, form } : {};
}

/** Error page for a status; a status without its own page gets the nearest one. */
export function errorKindOf(status: number): ErrorKind {
  if (status in EXPLAINED) return EXPLAINED[status as keyof typeof EXPLAINED];
  if (status >= 500) return "broken";
  return [400, 403, 411, 413, 415].includes(status) ? "unusable" : "notFound";
}
