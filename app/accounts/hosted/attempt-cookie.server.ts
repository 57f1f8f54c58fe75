import { createCookie, type Cookie } from "@remix-run/node";
import { hashOf } from "~/platform/crypto/tokens.server";

/** Time limit of the sign-in at the provider. */
export const ATTEMPT_SECONDS = 300;

/** Data of a sign-in attempt. */
export interface Attempt {
  /** Path on our own origin. */
  returnTo: string;
  silent: boolean;
  /** Time of the request for re-authentication, Unix time in ms; null for none. */
  freshSince: number | null;
}

/** Cookie that ties an attempt to its browser. Each attempt has its own cookie, so that two tabs do not disturb each other. */
export function attemptCookie(state: string, { secrets, secure }: { secrets: string[]; secure: boolean }): Cookie {
  return createCookie(`sign-in-${hashOf(state).slice(0, 16)}`, {
    secrets,
    secure,
    httpOnly: true,
    sameSite: "lax",
    path: "/auth",
    maxAge: ATTEMPT_SECONDS,
  });
}
