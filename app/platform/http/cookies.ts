/** One cookie's value as the browser sent it, or null. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("Cookie") ?? "";
  for (const pair of header.split(";")) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name && value !== undefined) return value.trim();
  }
  return null;
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A `Set-Cookie` value for a setting: kept for a year, readable by the server only. */
export function settingCookie(name: string, value: string, { secure }: { secure: boolean }): string {
  return `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
