// Placeholder for the real origin while a path is parsed.
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

/** After signing in, the user must not land on sign-in or sign-out pages. */
const NO_TARGETS = /^\/(login|logout|register|auth)(\/|\?|#|$)/i;

/** Target after signing in: the page the user came from, else their scans. */
export function signInTarget(target: unknown): string {
  const path = safeReturnTo(target);
  return path === "/" || NO_TARGETS.test(path) ? "/runs" : path;
}

/** Adds the return target to links between sign-in pages; the default target is not added. */
export function withReturnTo(address: string, returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo === "/runs") return address;
  return `${address}${address.includes("?") ? "&" : "?"}returnTo=${encodeURIComponent(returnTo)}`;
}
