import type { RouteConfigEntry } from "@remix-run/route-config";
import routes from "~/routes";

/** All patterns of the route table, such as `/run/:id/:category`. */
export const PATHS: readonly string[] = pathsOf(routes, "");

/** Patterns of one run of a user. */
export const RUN_PATHS = PATHS.filter((path) => path.startsWith("/run/:id") || path === "/runs/:id");

/** Patterns of one website of a user. */
export const WEBSITE_PATHS = PATHS.filter((path) => path.startsWith("/websites/:id"));

/** Patterns of the lists of a user's runs and websites. */
export const LIST_PATHS = PATHS.filter((path) => /^\/(runs|websites)(?!.*:)/.test(path));

/** Replaces the parameters of a pattern by values. */
export function fillIn(path: string, values: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_parameter, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`What is :${name} of ${path}?`);
    return encodeURIComponent(value);
  });
}

function pathsOf(entries: RouteConfigEntry[], parent: string): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const own = path ? `${parent}/${path}` : parent;
    return [own, ...pathsOf(children, own)];
  });
}
