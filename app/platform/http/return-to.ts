// Placeholder origin for parsing a path.
const ANY_ORIGIN = "http://origin.invalid";

/**
 * Safe return target: a path on our own origin, or `/` for any other target, such as another host in any notation that
 * browsers accept (`//host`, `/\host`, control characters that are dropped while parsing).
 */
export function safeReturnTo(target: unknown): string {
  if (typeof target !== "string" || !target.startsWith("/")) return "/";
  if (!URL.canParse(target, ANY_ORIGIN)) return "/";
  const url = new URL(target, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN) return "/";
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith("//") ? "/" : path;
}

/** Sign-in and sign-out pages are no target after signing in. */
const NO_TARGETS = /^\/(login|logout|register|auth)(\/|\?|#|$)/i;

/** Target after signing in: the page the user came from, else their scans. */
export function signInTarget(target: unknown): string {
  const path = safeReturnTo(target);
  return path === "/" || NO_TARGETS.test(path) ? "/runs" : path;
}

/** Adds the return target to a link between sign-in pages, except the default target. */
export function withReturnTo(address: string, returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo === "/runs") return address;
  return `${address}${address.includes("?") ? "&" : "?"}returnTo=${encodeURIComponent(returnTo)}`;
}
