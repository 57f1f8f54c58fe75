import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RouteConfigEntry } from "@remix-run/route-config";
import routes from "~/routes";

interface Page {
  address: string;
  file: string;
}

const pages = pagesBelow(routes, "");

const patterns = pages.filter(({ address }) => /[:*]/.test(address));

const reportPages = patterns.filter(({ address }) => /^\/(run|shared|unsubscribe)\//.test(address));

/**
 * Pages of reports, such as `/run/:id/pages`: those of their owner, and those behind a link that was given to others. What
 * both see is shown by one file, and listed once.
 */
export const REPORT_PAGES = reportPages
  .filter(({ file }, index) => reportPages.findIndex((page) => page.file === file) === index)
  .map(({ address }) => address);

/** The other pages of the route table whose address depends on something, such as `/check/:id`. */
export const PATTERN_PAGES = patterns.filter((page) => !reportPages.includes(page)).map(({ address }) => address);

/** The other pages of the route table that anybody sees, such as `/bfsg`; without those that only lead on to another one. */
export function plainPages(origin: string): Promise<string[]> {
  return pagesFor(origin, {});
}

/** Those that only somebody who is signed in sees. @param cookie of a session */
export async function signedInPages(origin: string, cookie: string): Promise<string[]> {
  const [all, plain] = await Promise.all([pagesFor(origin, { Cookie: cookie }), plainPages(origin)]);
  return all.filter((address) => !plain.includes(address));
}

async function pagesFor(origin: string, headers: Record<string, string>): Promise<string[]> {
  const plain = pages.filter((page) => !patterns.includes(page)).map(({ address }) => address);
  const answers = await Promise.all(plain.map((address) => fetch(`${origin}${address}`, { redirect: "manual", headers })));
  // Of what the operator has not given, there is no page.
  return plain.filter((_address, index) => ![302, 303, 404].includes(answers[index]?.status ?? 0));
}

function pagesBelow(entries: RouteConfigEntry[], parent: string): Page[] {
  return entries.flatMap(({ file, path, children }) => {
    const address = path ? `${parent}/${path}` : parent;
    return children ? pagesBelow(children, address) : hasView(file) ? [{ address: address || "/", file }] : [];
  });
}

/** A route without one answers something else than a page. */
function hasView(file: string): boolean {
  return /^export default /m.test(readFileSync(fileURLToPath(new URL(`../../app/${file}`, import.meta.url)), "utf8"));
}
