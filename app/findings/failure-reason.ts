import { failureKind, type FailureKind } from "~/scan/failure-kind";
import type { Reason } from "~/scan/types";

/** Why a page could not be checked; `check:reasons` and `report:reason` have the words. */
export interface FailureReason {
  kind: FailureKind;
  /** What the server answered; null where it did not, or it is not known. */
  httpStatus: number | null;
}

/** Without a reason, what checked it has died. */
export function failureReason({ reason, httpStatus }: { reason: Reason | null; httpStatus: number | null | undefined }): FailureReason {
  return { kind: failureKind(reason ?? "crashed", httpStatus), httpStatus: httpStatus ?? null };
}

/** Would the page have been checked, had somebody given access to it? */
export const wantsSignIn = ({ kind }: FailureReason): boolean => kind === "login_required" || kind === "unauthorized";
