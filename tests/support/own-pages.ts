import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RouteConfigEntry } from "@remix-run/route-config";
import routes from "~/routes";

const views = viewsBelow(await routes, "");

/** The pages of the route table that have an address of their own, such as `/bfsg`. */
export const PLAIN_PAGES = views.filter((path) => !isPattern(path));

/** Those whose address depends on something, such as `/check/:id`. */
export const PATTERN_PAGES = views.filter(isPattern);

function isPattern(path: string): boolean {
  return /[:*]/.test(path);
}

function viewsBelow(entries: RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap(({ file, path, children }) => {
    const address = path ? `${parent}/${path}` : parent;
    return children ? viewsBelow(children, address) : hasView(file) ? [address || "/"] : [];
  });
}

/** A route without one redirects, or answers something else than a page. */
function hasView(file: string): boolean {
  return /^export default /m.test(readFileSync(fileURLToPath(new URL(`../../app/${file}`, import.meta.url)), "utf8"));
}
