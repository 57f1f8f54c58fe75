import { createCookie, type Cookie } from "@remix-run/node";

export interface HostCookieOptions {
  /** The first one signs, each of them is accepted. */
  secrets: string[];
  baseUrl: string;
}

/** A signed cookie. On https no other host or path can have set it (`__Host-`). @param maxAge in seconds */
export function hostCookie(name: string, { secrets, baseUrl }: HostCookieOptions, maxAge: number): Cookie {
  const secure = baseUrl.startsWith("https:");
  return createCookie(secure ? `__Host-${name}` : name, { secrets, secure, httpOnly: true, sameSite: "lax", path: "/", maxAge });
}
