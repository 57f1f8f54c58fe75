import { failureKind, type FailureKind } from "~/scan/failure-kind";
import type { FailureDetail, Reason } from "~/scan/types";

/** Why a page could not be checked; `check:reasons` and `report:reason` have the words. */
export interface FailureReason {
  kind: FailureKind;
  /** Status of the server's response; null if there was none, or it is not known. */
  httpStatus: number | null;
}

/** No reason means that the checking process died. */
export function failureReason({ reason, httpStatus }: { reason: Reason | null; httpStatus: number | null | undefined }): FailureReason {
  return { kind: failureKind(reason ?? "crashed", httpStatus), httpStatus: httpStatus ?? null };
}

/** What is published of a failure: not the address behind an internal name, not even in a refusal. */
export function publicDetail(reason: Reason, { technical, address, ...detail }: FailureDetail): FailureDetail {
  return reason === "blocked_address" ? detail : { technical, address, ...detail };
}

/** What a page shows of it. */
export function shownDetail(reason: Reason, detail: FailureDetail): Pick<FailureDetail, "contentType" | "technical"> {
  const { contentType, technical } = publicDetail(reason, detail);
  return { contentType, technical };
}

/** Could the page be checked if the user gave access data? */
export const needsSignIn = ({ kind }: FailureReason): boolean => kind === "login_required" || kind === "unauthorized";
