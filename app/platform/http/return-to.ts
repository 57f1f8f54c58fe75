// Only stands in for the real origin while a path is being read.
const ANY_ORIGIN = "http://origin.invalid";

/**
 * A return target as a path on our own origin: `/` for anything else, such as another host in any notation browsers
 * accept (`//host`, `/\host`, control characters that are dropped while parsing).
 */
export function safeReturnTo(target: unknown): string {
  if (typeof target !== "string" || !target.startsWith("/")) return "/";
  if (!URL.canParse(target, ANY_ORIGIN)) return "/";
  const url = new URL(target, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN) return "/";
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith("//") ? "/" : path;
}

/** Whoever signs in does not want to do so again, nor to be signed out. */
const NO_TARGETS = /^\/(login|logout|register|auth)(\/|\?|#|$)/i;

/** Where somebody goes after signing in: back to where they were sent from, else to their scans. */
export function signInTarget(target: unknown): string {
  const path = safeReturnTo(target);
  return path === "/" || NO_TARGETS.test(path) ? "/runs" : path;
}

/** Where sign-in pages lead to each other and on; nothing is added where that is what they do anyway. */
export function withReturnTo(address: string, returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo === "/runs") return address;
  return `${address}${address.includes("?") ? "&" : "?"}returnTo=${encodeURIComponent(returnTo)}`;
}
