import { readCookie } from "./cookies";

export const COLOR_SCHEMES = ["light", "dark", "auto"] as const;
/** `auto` follows the system, by CSS only. */
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

export const COLOR_SCHEME_COOKIE = "color-scheme";

export function isColorScheme(value: unknown): value is ColorScheme {
  return COLOR_SCHEMES.includes(value as ColorScheme);
}

/** The visitor's chosen scheme; `auto` by default. */
export function colorSchemeOf(request: Request): ColorScheme {
  const chosen = readCookie(request, COLOR_SCHEME_COOKIE);
  return isColorScheme(chosen) ? chosen : "auto";
}
