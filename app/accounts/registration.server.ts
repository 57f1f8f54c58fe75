import type { Trx } from "db/schema";
import type { Env } from "~/platform/env.server";
import { emailKey } from "~/platform/forms/email-address";
import { safeReturnTo } from "~/platform/http/return-to";

type Mode = Env["REGISTRATION"];

/** What an invitation link allows, also while registration is closed. */
export interface Admission {
  /** The only address that may register, which the link confirms; null for any address. */
  email: string | null;
  /** Uses the link, in the transaction that creates the account. @returns false if it was used meanwhile */
  redeem(trx: Trx, userId: string): Promise<boolean>;
}

/** A kind of links that admit. */
export interface AdmissionLinks {
  /** Of the page that they open. */
  path: string;
  /** Undefined if the token is used or expired. */
  find(token: string): Promise<Admission | undefined>;
}

/** Why no account can be created. */
export type RegistrationBarrier = "invite" | "closed";

export type Registration = ReturnType<typeof createRegistration>;

/** Who may create an account here. The link travels as the page to return to, also to a hosted provider and back. */
export function createRegistration({ mode, links }: { mode: Mode; links: AdmissionLinks[] }) {
  return {
    /** No page offers registration; invitations still admit. */
    isClosed: mode === "closed",

    /** @param returnTo path and query */
    async admissionOf(returnTo: unknown): Promise<Admission | null> {
      const { pathname, searchParams } = new URL(safeReturnTo(returnTo), "http://origin.invalid");
      const token = searchParams.get("token");
      const kind = links.find(({ path }) => path === pathname);
      return (token && (await kind?.find(token))) || null;
    },

    /** Null if somebody with this admission may create an account. */
    barrierFor(admission: Admission | null): RegistrationBarrier | null {
      return admission === null && (mode === "invite" || mode === "closed") ? mode : null;
    },
  };
}

/** May the owner of an address create an account with this admission? */
export function admits({ email }: Admission, address: string): boolean {
  return email === null || emailKey(email) === emailKey(address);
}

/** The link was used meanwhile. */
export class AdmissionUsed extends Error {
  override name = "AdmissionUsed";
}
