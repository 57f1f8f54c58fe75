import type { Trx } from "db/schema";
import type { Env } from "~/platform/env.server";
import { emailKey } from "~/platform/forms/email-address";
import { safeReturnTo } from "~/platform/http/return-to";

type Mode = Env["REGISTRATION"];

/** Permission of an invitation link, also while registration is closed. */
export interface Admission {
  /** Only address that may register, confirmed by the link; null for any address. */
  email: string | null;
  /** Uses up the link, in the transaction that creates the account. @returns false if it is already used */
  redeem(trx: Trx, userId: string): Promise<boolean>;
}

/** Kind of links that admit users. */
export interface AdmissionLinks {
  /** Path of the page behind the link. */
  path: string;
  /** Undefined if the token is used or expired. */
  find(token: string): Promise<Admission | undefined>;
}

/** Reason why no account can be created. */
export type RegistrationBarrier = "invite" | "closed";

export type Registration = ReturnType<typeof createRegistration>;

/** Rules for new accounts. The link is kept as the return path, also during a sign-in at a hosted provider. */
export function createRegistration({ mode, links }: { mode: Mode; links: AdmissionLinks[] }) {
  return {
    /** True if no page offers registration; invitations still admit users. */
    isClosed: mode === "closed",

    /** @param returnTo path and query of the link */
    async admissionOf(returnTo: unknown): Promise<Admission | null> {
      const { pathname, searchParams } = new URL(safeReturnTo(returnTo), "http://origin.invalid");
      const token = searchParams.get("token");
      const kind = links.find(({ path }) => path === pathname);
      return (token && (await kind?.find(token))) || null;
    },

    /** Reason to refuse a new account; null if this admission allows one. */
    barrierFor(admission: Admission | null): RegistrationBarrier | null {
      return admission === null && (mode === "invite" || mode === "closed") ? mode : null;
    },
  };
}

/** True if the admission allows an account with this address. */
export function admits({ email }: Admission, address: string): boolean {
  return email === null || emailKey(email) === emailKey(address);
}

/** Error: the link has been used by another request. */
export class AdmissionUsed extends Error {
  override name = "AdmissionUsed";
}
