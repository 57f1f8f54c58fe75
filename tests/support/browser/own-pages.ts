import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { LANGUAGE_PATHS } from "~/platform/i18n/search-pages";
import routes from "~/routes";

interface Page {
  address: string;
  file: string;
}

const pages = pagesBelow(routes, "");

const patterns = pages.filter(({ address }) => /[:*]/.test(address));

const reportPages = patterns.filter(({ address }) => /^\/(runs?|shared|unsubscribe|websites)\//.test(address));

/**
 * Pages of reports, such as `/run/:id/pages`: those of the owner, and those of a shared link. Pages with the same
 * file are listed once.
 */
export const REPORT_PAGES = reportPages
  .filter(({ file }, index) => reportPages.findIndex((page) => page.file === file) === index)
  .map(({ address }) => address);

/** Pages of the administration with parameters in their address. */
export const ADMINISTRATION_PAGES = patterns.map(({ address }) => address).filter((address) => address.startsWith("/admin/"));

/** Other pages of the route table with parameters in their address, such as `/check/:id`. */
export const PATTERN_PAGES = patterns
  .filter((page) => !reportPages.includes(page))
  .map(({ address }) => address)
  .filter((address) => !ADMINISTRATION_PAGES.includes(address));

/** Other public pages of the route table, such as `/bfsg`; without redirects. */
export function plainPages(origin: string): Promise<string[]> {
  return pagesFor(origin, {});
}

const GERMAN_PATHS: string[] = LANGUAGE_PATHS.map(({ de }) => de);

/** Public pages, one path each: with its German path, a page is the same in every language (`frame.spec.ts`). */
export async function publicPages(origin: string): Promise<string[]> {
  return (await plainPages(origin)).filter((path) => !GERMAN_PATHS.includes(path));
}

/** Pages for signed-in users only. @param cookie cookie of a session */
export async function signedInPages(origin: string, cookie: string): Promise<string[]> {
  const [all, plain] = await Promise.all([pagesFor(origin, { Cookie: cookie }), plainPages(origin)]);
  return all.filter((address) => !plain.includes(address));
}

async function pagesFor(origin: string, headers: Record<string, string>): Promise<string[]> {
  const plain = pages.filter((page) => !patterns.includes(page)).map(({ address }) => address);
  const answers = await Promise.all(plain.map((address) => fetch(`${origin}${address}`, { redirect: "manual", headers })));
  // Pages without content from the operator answer 404.
  return plain.filter((_address, index) => ![302, 303, 404].includes(answers[index]?.status ?? 0));
}

function pagesBelow(entries: RouteConfigEntry[], parent: string): Page[] {
  return entries.flatMap(({ file, path, children }) => {
    const address = path ? `${parent}/${path}` : parent;
    return children ? pagesBelow(children, address) : hasView(file) ? [{ address: address || "/", file }] : [];
  });
}

/** Whether a route has a view; without one, its answer is no page. */
function hasView(file: string): boolean {
  return /^export default /m.test(readFileSync(fileURLToPath(new URL(`../../../app/${file}`, import.meta.url)), "utf8"));
}
