import { failureKind, type FailureKind } from "~/scan/failure-kind";
import type { Reason } from "~/scan/types";

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

/** Could the page be checked if the user gave access data? */
export const wantsSignIn = ({ kind }: FailureReason): boolean => kind === "login_required" || kind === "unauthorized";
