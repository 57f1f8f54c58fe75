import type { Reason } from "./types";

/** Kind of a failure, by its remedy; the HTTP status gives more detail. */
export type FailureKind =
  | Reason
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "too_many_requests"
  | "client_error"
  | "server_error";

/** @param httpStatus null or undefined without an answer, or if unknown */
export function failureKind(reason: Reason, httpStatus: number | null = null): FailureKind {
  if (reason === "login_required") return httpStatus === 401 ? "unauthorized" : reason;
  if (reason !== "http_status" || httpStatus === null || httpStatus < 400) return reason;
  if (httpStatus === 403) return "forbidden";
  if (httpStatus === 404 || httpStatus === 410) return "not_found";
  if (httpStatus === 429) return "too_many_requests";
  return httpStatus >= 500 ? "server_error" : "client_error";
}
