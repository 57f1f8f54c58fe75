import { parseCookie, stringifySetCookie } from "cookie";
import { DAY_SECONDS } from "~/platform/durations";

/** Value of a cookie, or null. */
export const readCookie = (request: Request, name: string): string | null =>
  parseCookie(request.headers.get("Cookie") ?? "")[name] ?? null;

const YEAR_SECONDS = 365 * DAY_SECONDS;

/** `Set-Cookie` value of a setting: valid for a year, readable by the server only. */
export const settingCookie = (name: string, value: string, { secure }: { secure: boolean }): string =>
  stringifySetCookie(name, value, { path: "/", maxAge: YEAR_SECONDS, httpOnly: true, sameSite: "lax", secure });
