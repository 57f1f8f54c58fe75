import { comparable } from "./percent-encoding";

/**
 * Tells which addresses the user excluded.
 * @param beginnings path prefixes, up to the end of a segment: `/shop` excludes `/shop`, `/shop/` and `/shop/a`, but not
 *   `/shopping`; `*` matches any text
 */
export function isExcludedBy(beginnings: string[]): (url: string) => boolean {
  const patterns = beginnings.map(partsOf).filter((parts) => parts.join("") !== "");
  return (url) => {
    if (patterns.length === 0) return false;
    const { pathname, search } = new URL(url);
    const path = comparable(pathname + search).replaceAll("*", "%2A");
    return patterns.some((parts) => begins(path, parts));
  };
}

/** The parts between the asterisks. */
function partsOf(beginning: string): string[] {
  const pattern = comparable(beginning.trim()).replace(/\/+$/, "");
  return (/^[/*]|^$/.test(pattern) ? pattern : `/${pattern}`).split("*");
}

function begins(path: string, [first = "", ...parts]: string[]): boolean {
  if (!path.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return isBorder(path, first.length);
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (last === "") return true;
  for (let found = path.indexOf(last, at); found >= 0; found = path.indexOf(last, found + 1))
    if (isBorder(path, found + last.length)) return true;
  return false;
}

/** Does a segment of the path end here? */
function isBorder(path: string, at: number): boolean {
  return at === path.length || /[/?]/.test(path.charAt(at));
}
