import { createCookie, type Cookie } from "@remix-run/node";
import { hashOf } from "~/platform/crypto/tokens.server";

/** In this time the sign-in at the provider must be finished. */
export const ATTEMPT_SECONDS = 300;

/** Data of a sign-in attempt. */
export interface Attempt {
  /** A path on our own origin. */
  returnTo: string;
  silent: boolean;
  /** When re-authentication was requested, Unix time in ms; null if it was not requested. */
  freshSince: number | null;
}

/** Ties an attempt to the browser that began it; each attempt has its own cookie, so that two tabs do not disturb each other. */
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
