import { failureKind, type FailureKind } from "~/scan/failure-kind";
import type { FailureDetail, Reason } from "~/scan/types";

/** Reason why a page could not be checked; `check:reasons` and `report:reason` have the words. */
export interface FailureReason {
  kind: FailureKind;
  /** HTTP status of the server's response; null if there was none, or it is unknown. */
  httpStatus: number | null;
}

/** Kind and status of a failure. No reason means that the checking process crashed. */
export function failureReason({ reason, httpStatus }: { reason: Reason | null; httpStatus: number | null | undefined }): FailureReason {
  return { kind: failureKind(reason ?? "crashed", httpStatus), httpStatus: httpStatus ?? null };
}

/** Public part of a failure: never the address behind an internal name, not even for a blocked address. */
export function publicDetail(reason: Reason, { technical, address, ...detail }: FailureDetail): FailureDetail {
  return reason === "blocked_address" ? detail : { technical, address, ...detail };
}

/** Part of a failure that a page shows. */
export function shownDetail(reason: Reason, detail: FailureDetail): Pick<FailureDetail, "contentType" | "technical"> {
  const { contentType, technical } = publicDetail(reason, detail);
  return { contentType, technical };
}

/** Whether the page could be checked with the user's credentials. */
export const needsSignIn = ({ kind }: FailureReason): boolean => kind === "login_required" || kind === "unauthorized";
