export const COLOR_SCHEMES = ["light", "dark", "auto"] as const;
/** `auto` follows the system, by style sheet alone. */
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

export const COLOR_SCHEME_COOKIE = "color-scheme";

export function isColorScheme(value: unknown): value is ColorScheme {
  return COLOR_SCHEMES.includes(value as ColorScheme);
}
