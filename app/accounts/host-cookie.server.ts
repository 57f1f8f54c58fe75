import { createCookie, type Cookie } from "@remix-run/node";

export interface HostCookieOptions {
  /** Secrets: the first one signs, all of them are accepted. */
  secrets: string[];
  baseUrl: string;
}

/** Signed cookie. On https, no other host or path can have set it (`__Host-`). @param maxAge lifetime in seconds */
export function hostCookie(name: string, { secrets, baseUrl }: HostCookieOptions, maxAge: number): Cookie {
  const secure = baseUrl.startsWith("https:");
  return createCookie(secure ? `__Host-${name}` : name, { secrets, secure, httpOnly: true, sameSite: "lax", path: "/", maxAge });
}
