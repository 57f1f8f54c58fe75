import { createScanner } from "~/scan/visit/scanner";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import type { CheckedPage, PageResult, Reason, Standard } from "~/scan/types";

export const WCAG22AA: Standard = { version: "2.2", level: "AA" };

/** Path of this machine's browser. */
export function browserPath(): string {
  const browser = findBrowser(process.env);
  if (!browser) throw new Error("There is no browser; npm start finds or installs one.");
  return browser.path;
}

/** Scanner with access to loopback and small budgets. */
export function testScanner(options: Partial<Parameters<typeof createScanner>[0]> = {}) {
  return createScanner({
    executablePath: browserPath(),
    concurrency: 2,
    pageSeconds: 20,
    allowPrivate: ["127.0.0.1/32", "localhost"],
    userAgent: "Mozilla/5.0 (compatible; Rampe/test)",
    ...options,
  });
}

export function expectChecked(result: PageResult): CheckedPage {
  if (result.status === "failed") throw new Error(`not checked: ${JSON.stringify(result)}`);
  return result;
}

export function reasonOf(result: PageResult): Reason | "succeeded" {
  return result.status === "failed" ? result.reason : result.status;
}

/** Text `rule target` for each violation. */
export function violationsOf(result: PageResult): string[] {
  return expectChecked(result).findings.violations.flatMap(({ ruleId, elements }) =>
    elements.map(({ target }) => `${ruleId} ${target.join(" >> ")}`),
  );
}
