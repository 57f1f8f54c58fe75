import { engineNames } from "~/findings/engines";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readEnv, processEnv } from "~/platform/env.server";
import { LOCALES, type Locale } from "~/platform/i18n/i18n";
import { PUBLIC_PAGES } from "~/platform/i18n/public-pages";
import type { ScannedPage, SelfScan } from "~/site/self-scan/self-scan";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { createScanner } from "~/scan/visit/scanner";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import type { Scanner, Standard } from "~/scan/types";

const STANDARD: Standard = { version: "2.2", level: "AA" };
const RESULT = fileURLToPath(new URL("../app/site/self-scan/self-scan.json", import.meta.url));

/**
 * Scans the public pages of a running server in both languages, and stores the result for `/accessibility`.
 * Exit status 0; 1 if a page could not be scanned or has a violation.
 */
async function main([origin = "http://localhost:3000"]: string[]): Promise<number> {
  const browser = findBrowser(processEnv());
  if (!browser) throw new Error("There is no browser; node scripts/setup.mjs finds or installs one.");
  const env = readEnv();
  const scanner = createScanner({
    executablePath: browser.path,
    concurrency: 1,
    pageSeconds: env.SCAN_PAGE_SECONDS,
    allowPrivate: [new URL(origin).host],
    userAgent: env.SCAN_USER_AGENT,
    ruleTexts: OWN_RULE_TEXTS,
  });
  try {
    const pages: ScannedPage[] = [];
    for (const path of PUBLIC_PAGES) for (const locale of LOCALES) pages.push(await scanPage(scanner, origin, path, locale));
    keep({ at: new Date().toISOString().slice(0, 10), standard: "WCAG 2.2 AA", engine: engineNames(scanner.engines), pages });
    return pages.every(({ counts }) => counts?.violations === 0) ? 0 : 1;
  } finally {
    await scanner.stop();
  }
}

async function scanPage(scanner: Scanner, origin: string, path: string, locale: Locale): Promise<ScannedPage> {
  const access = { kind: "cookie" as const, cookie: `locale=${locale}`, origin };
  const result = await scanner.check({ url: new URL(path, origin).href, standard: STANDARD, access });
  if (result.status === "failed") {
    process.stderr.write(`${path} (${locale}): ${result.reason}\n`);
    return { path, locale, title: path, counts: null };
  }
  if (result.lang !== locale) throw new Error(`${path} is in another language than ${locale}.`);
  const { violations, incomplete, passes } = result.findings;
  for (const { ruleId } of violations) process.stderr.write(`${path} (${locale}): ${ruleId}\n`);
  return {
    path,
    locale,
    title: result.title.replace(/ – Rampe$/, ""),
    counts: { violations: violations.length, incomplete: incomplete.length, passes: passes.length },
  };
}

/** Stores one page per line, so that a change of one page is readable in a diff. */
function keep({ pages, ...scan }: SelfScan): void {
  const lines = pages.map((page) => `    ${JSON.stringify(page)}`).join(",\n");
  const head = JSON.stringify(scan, null, 2).replace(/\n\}$/, "");
  writeFileSync(RESULT, `${head},\n  "pages": [\n${lines}\n  ]\n}\n`);
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`The scan failed. ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
