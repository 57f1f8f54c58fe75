import { normalisePath } from "./address";

/**
 * Returns a test for addresses that the user excluded.
 * @param prefixes path prefixes, up to the end of a segment: `/shop` excludes `/shop`, `/shop/` and `/shop/a`, but not
 *   `/shopping`; `*` matches any text
 */
export function isExcludedBy(prefixes: string[]): (url: string) => boolean {
  const patterns = prefixes.map(partsOf).filter((parts) => parts.join("") !== "");
  return (url) => {
    if (patterns.length === 0) return false;
    const { pathname, search } = new URL(url);
    const path = normalisePath(pathname + search).replaceAll("*", "%2A");
    return patterns.some((parts) => matchesPrefix(path, parts));
  };
}

/** The parts between the asterisks. */
function partsOf(prefix: string): string[] {
  const pattern = normalisePath(prefix.trim()).replace(/\/+$/, "");
  return (/^[/*]|^$/.test(pattern) ? pattern : `/${pattern}`).split("*");
}

function matchesPrefix(path: string, parts: string[]): boolean {
  const last = parts.length > 1 ? parts.at(-1) : undefined;
  const at = endOfMatch(path, last === undefined ? parts : parts.slice(0, -1));
  if (at === undefined) return false;
  if (last === undefined) return isEndOfSegment(path, at);
  if (last === "") return true;
  for (let found = path.indexOf(last, at); found >= 0; found = path.indexOf(last, found + 1))
    if (isEndOfSegment(path, found + last.length)) return true;
  return false;
}

function isEndOfSegment(path: string, at: number): boolean {
  return at === path.length || /[/?]/.test(path.charAt(at));
}

/**
 * Matches a pattern of robots.txt: `*` matches any text, `$` at the end matches the end.
 * @param path normalised, with `*` and `$` encoded
 */
export function matchesRobotsPattern(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).replaceAll("$", "%24").split("*");
  if (!isWhole) return endOfMatch(path, parts) !== undefined;
  if (parts.length === 1) return path === parts[0];
  const last = parts.at(-1) ?? "";
  const at = endOfMatch(path, parts.slice(0, -1));
  return at !== undefined && path.endsWith(last) && path.length - last.length >= at;
}

/**
 * End of the shortest match: the first part at the beginning of the path, the others after it in this order. Undefined
 * for a path that does not match.
 */
function endOfMatch(path: string, [first = "", ...others]: string[]): number | undefined {
  if (!path.startsWith(first)) return undefined;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return undefined;
    at = found + part.length;
  }
  return at;
}
