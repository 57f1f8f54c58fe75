import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { productName } from "~/platform/product-name.server";
import { loadEnvFile, readEnv, processEnv, InvalidSetting, type Env } from "~/platform/env.server";
import { parseStartAddress, type AddressProblem, type StartAddress } from "~/platform/web/start-address";
import { mostWaitMs } from "~/runs/wait-options";
import { createAddressPolicy, type AddressPolicy } from "~/scan/network/address-policy";
import { suitableConcurrency } from "~/scan/browser/concurrency";
import { crawl, type CrawlOptions } from "~/scan/crawl/crawl";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import type { CrawlFacts } from "~/scan/crawl/facts";
import { passingStore } from "~/scan/crawl/store";
import { comparedPage, deadAddress, judgeSite, MOST_COMPARED_PAGES, type ComparedSite } from "~/scan/site/judge-site";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { crawlText } from "~/reports/exports/crawl-text";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import { criteriaOf } from "~/findings/rules/criteria.server";
import { listRules } from "~/scan/rules/list-rules";
import { createScanner } from "~/scan/visit/scanner";
import type { PageResult, Scanner, Standard } from "~/scan/types";
import { addressPolicy } from "~/server/scans/address-setting.server";
import { HELP, readArguments, WrongCall, type ScanArguments } from "./scan-arguments";
import { scanOutput } from "./scan-output";

const OK = 0;
const VIOLATIONS = 1;
const NOT_CHECKED = 2;

process.exitCode = await main(process.argv.slice(2));

/** Runs the command line. @returns its exit status */
async function main(argv: string[]): Promise<number> {
  try {
    const args = readArguments(argv);
    if (typeof args === "string") {
      // Normal end after the reader of the output has closed it.
      process.stdout.once("error", () => process.exit(OK));
      process.stdout.write(args === "help" ? HELP : rulesText());
      return OK;
    }
    loadEnvFile();
    return await scan(args, readEnv());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof WrongCall ? "\nSee npm run scan -- --help." : "";
    if (!(error instanceof WrongCall || error instanceof InvalidSetting))
      process.stderr.write("The scan failed. ");
    process.stderr.write(`${message}${hint}\n`);
    return NOT_CHECKED;
  }
}

async function scan(args: ScanArguments, env: Env): Promise<number> {
  const most = mostWaitMs(env.SCAN_PAGE_SECONDS);
  if ((args.waitMs ?? 0) > most) throw new WrongCall(`--wait wants at most ${most} ms: a page has ${env.SCAN_PAGE_SECONDS} s (SCAN_PAGE_SECONDS).`);
  refuseUnknownRules(args);
  // First without the arguments: an unusable SCAN_ALLOW_PRIVATE must not be reported as an unusable --allow-private.
  addressPolicy(env);
  const allowPrivate = [...env.SCAN_ALLOW_PRIVATE, ...args.allowPrivate];
  const policy = policyOf(allowPrivate);
  const scanner = createScanner({
    executablePath: browserPath(),
    concurrency: args.concurrency ?? env.SCAN_CONCURRENCY ?? suitableConcurrency(),
    pageSeconds: env.SCAN_PAGE_SECONDS,
    allowPrivate,
    userAgent: env.SCAN_USER_AGENT,
    ...(args.checks === "axe" ? {} : { ruleTexts: OWN_RULE_TEXTS }),
  });
  const leave = () => void scanner.stop().finally(() => process.exit(NOT_CHECKED));
  const interrupt = () => {
    process.stderr.write("Interrupted: what was written is not complete.\n");
    leave();
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  // Stop after the reader of the output has closed it.
  process.stdout.once("error", leave);
  const fetch = createSiteFetch({ policy, userAgent: env.SCAN_USER_AGENT });
  const maxPages = args.maxPages ?? env.SCAN_MAX_PAGES;
  try {
    const throttles = createHostThrottles();
    return await checkAll(args, policy, { scanner, fetch, throttles, userAgent: env.SCAN_USER_AGENT, maxPages, mostMinutes: env.SCAN_SITE_MINUTES });
  } finally {
    await scanner.stop();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** Line for each rule: its id, source, success criteria and requirement. */
function rulesText(): string {
  const rules = listRules(OWN_RULE_TEXTS);
  const longest = Math.max(...rules.map(({ id }) => id.length));
  return rules.map(({ id, source, tags, help }) => `${id.padEnd(longest)}  ${source.padEnd(5)}  ${criteriaOf(tags).join(", ")}  ${help}\n`).join("");
}

function refuseUnknownRules({ checks, rules: { only = [], without = [] } }: ScanArguments): void {
  if (only.length + without.length === 0) return;
  const known = listRules(OWN_RULE_TEXTS).filter(({ source }) => checks !== "axe" || source === "axe");
  const advanced = only.find((id) => known.some((rule) => rule.id === id && rule.isAdvanced));
  if (advanced !== undefined && checks !== "pro") throw new WrongCall(`${advanced} is an advanced analysis; it wants --checks pro.`);
  const unknown = [...only, ...without].find((id) => !known.some((rule) => rule.id === id));
  if (unknown !== undefined) throw new WrongCall(`There is no rule ${unknown}${checks === "axe" ? " of axe-core" : ""}; --list-rules names all.`);
}

function policyOf(allowPrivate: string[]): AddressPolicy {
  try {
    return createAddressPolicy(allowPrivate);
  } catch (error) {
    throw new WrongCall(`--allow-private: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function browserPath(): string {
  const browser = findBrowser(processEnv());
  if (!browser) throw new Error("There is no browser; node scripts/setup.mjs finds or installs one.");
  return browser.path;
}

async function checkAll(
  args: ScanArguments,
  policy: AddressPolicy,
  options: CrawlOptions & { scanner: Scanner },
): Promise<number> {
  const { scanner } = options;
  const standard: Standard = { version: "2.2", level: args.level };
  const { rules, waitMs, waitFor } = args;
  const advanced = args.checks === "pro";
  const [first = ""] = args.urls;
  const alone = args.urls.length === 1 && first !== "-";
  const output = scanOutput(args, alone, (text) => void process.stdout.write(text));
  const createdAt = Date.now();
  let status = OK;
  let checked = 0;
  const crawls: { url: string; facts: CrawlFacts }[] = [];
  const print = (result: PageResult) => {
    checked += 1;
    output.page(result);
    status = Math.max(status, statusOf(result));
  };

  async function checkPage(typed: string): Promise<void> {
    const address = addressOf(typed, policy);
    print(address.ok ? await scanner.check({ url: address.url, standard, rules, advanced, waitMs, waitFor }) : notAnAddress(typed, address.problem));
  }

  async function checkSite(typed: string): Promise<void> {
    const address = addressOf(typed, policy);
    if (!address.ok) return print(notAnAddress(typed, address.problem));
    const compared: ComparedSite = { pages: [], dead: [] };
    const take = (result: PageResult) => {
      const page = compared.pages.length < MOST_COMPARED_PAGES ? comparedPage(result) : undefined;
      if (page) compared.pages.push(page);
      const dead = result.status === "failed" ? deadAddress(result.url, result.reason, result.detail.httpStatus) : undefined;
      if (dead) compared.dead.push(dead);
      print(result);
    };
    const crawled = await crawl({ url: address.url, standard, rules, advanced, waitMs, waitFor }, passingStore(take), options);
    crawls.push({ url: address.url, facts: crawled });
    // Also for a crawl that ended below its limit: too many of its addresses were no new pages.
    if (crawled.stopped || crawled.timeLimit !== undefined || (crawled.limited && crawled.pages < crawled.maxPages)) status = Math.max(status, NOT_CHECKED);
    const found = judgeSite(compared, crawled, { standard, rules, texts: OWN_RULE_TEXTS });
    output.site(found);
    if ([...found.values()].some(({ violations }) => violations.length > 0)) status = Math.max(status, VIOLATIONS);
    const said = crawlText(crawled, address.url);
    // The summary is for people; formats for programs have their own field for it, or none.
    if (args.format === "text") process.stdout.write(said);
    else if (!(alone && args.format === "json")) process.stderr.write(said);
  }

  output.start();
  const urls = typedUrls(args.urls);
  // Each worker takes the next address after the last one, so that a long list is never held in memory. One site is enough
  // work for the whole scanner.
  const workers = Array.from({ length: args.site ? 1 : scanner.parallel }, async () => {
    for await (const typed of urls) await (args.site ? checkSite(typed) : checkPage(typed));
  });
  await Promise.all(workers);
  if (checked === 0) throw new WrongCall("there is no address to check");
  output.finish({
    id: randomUUID(),
    url: first,
    scope: args.site ? "site" : "page",
    createdAt,
    finishedAt: Date.now(),
    standard,
    engines: scanner.engines,
    product: productName(),
    waitMs,
    waitFor,
    ...(crawls.length === 1 ? { crawl: crawls[0]?.facts } : { crawls }),
  });
  return status;
}

async function* typedUrls(urls: string[]): AsyncGenerator<string> {
  // Without duplicates, because standard input can be read once only.
  for (const url of new Set(urls)) {
    if (url !== "-") yield url;
    else for await (const line of createInterface({ input: process.stdin })) if (line.trim()) yield line;
  }
}

function addressOf(typed: string, policy: AddressPolicy): StartAddress {
  return parseStartAddress(typed, (host, port) => policy.refuses(host, port));
}

function notAnAddress(typed: string, problem: AddressProblem): PageResult {
  return {
    url: typed,
    finalUrl: typed,
    checkedAt: Date.now(),
    durationMs: 0,
    status: "failed",
    reason: problem === "private" || problem === "port" ? "blocked_address" : "invalid_url",
    detail: { technical: problem },
  };
}

function statusOf(result: PageResult): number {
  if (result.status === "failed") return NOT_CHECKED;
  if (result.findings.violations.length > 0) return VIOLATIONS;
  // "Nothing found" would be wrong if some rules did not finish, or had nothing to check.
  return result.partial.length > 0 || result.gaps.concealed || result.gaps.missing ? NOT_CHECKED : OK;
}
