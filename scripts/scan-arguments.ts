import { parseArgs } from "node:util";
import { isSelector } from "~/findings/css-selector";
import type { ExportFormat } from "~/reports/exports/formats";
import { LEVELS, type Level, type RuleChoice } from "~/scan/types";

/** Output formats: text for people, and export formats that need no database. */
export const FORMATS = ["text", "json", "csv", "sarif"] as const satisfies readonly (ExportFormat | "text")[];
type Format = (typeof FORMATS)[number];

const CHECKS = ["axe", "free", "pro"] as const;
type Checks = (typeof CHECKS)[number];

export interface ScanArguments {
  /** Addresses as typed; `-` means the lines of standard input. */
  urls: string[];
  site: boolean;
  level: Level;
  /** Checks to run; `axe`: only axe-core's rules. */
  checks: Checks;
  rules: RuleChoice;
  format: Format;
  concurrency: number | undefined;
  maxPages: number | undefined;
  waitMs: number | undefined;
  waitFor: string | undefined;
  allowPrivate: string[];
}

/** Error: wrong arguments, described in the message. */
export class WrongCall extends Error {
  override name = "WrongCall";
}

export const HELP = `Checks web pages for accessibility problems against WCAG.

Usage: npm run --silent scan -- URL… [options]

  URL                    address of a page; several are checked in one browser
  -                      reads addresses from standard input, one per line
  --level A|AA|AAA       success criteria up to this level of WCAG 2.2 (AA)
  --checks axe|free|pro  axe: axe-core's rules alone; free: with our own; pro: also advanced ones (pro)
  --rules ID,ID          only these rules, whatever the level
  --no-rule ID           without this rule; can be given several times
  --list-rules           prints all rules, and checks nothing
  --wait MS              leaves each page alone for so many ms after it has loaded
  --wait-for SELECTOR    waits until a CSS selector matches something on each page; where
                         it never does, that is said, and the page counts as not checked
  --json                 one URL: the document of the run, on one line;
                         several, or -: one line for each page, as soon as it is ready;
                         of a site with --checks pro, when all of its pages are ready
  --csv                  one line for each element, for what was not checked, and for each
                         page without either; its column "result" says which
  --sarif                SARIF 2.1.0, for code scanning tools
  --concurrency N        pages analysed at once (from cores and memory); from 2 on, one
                         more loads meanwhile; of one site at most 4 are open with --site
  --allow-private HOST   a host, host:port or network that may be checked although it is
                         not public; can be given several times
  --site                 all pages of the site that each URL starts, by its links and
                         sitemaps; robots.txt is obeyed; with --checks pro, pages are compared
  --max-pages N          the most pages of a site (SCAN_MAX_PAGES, else 200)
  --help                 this text

Exit status: 0 every page was checked (of a site, up to --max-pages) and no violation found;
1 violations were found; 2 a page could not be checked, a site took too long or stopped
answering, or the call was wrong.

CHROME_PATH, SCAN_PAGE_SECONDS, SCAN_ALLOW_PRIVATE, SCAN_USER_AGENT, SCAN_CONCURRENCY,
SCAN_MAX_PAGES and SCAN_SITE_MINUTES hold here, too.
`;

/**
 * Parses the command line: the scan, or the request for help or for the list of rules.
 * @throws {WrongCall}
 */
export function readArguments(argv: string[]): ScanArguments | "help" | "rules" {
  const { values, positionals } = parse(argv);
  if (values.help) return "help";
  if (values["list-rules"]) return "rules";
  if (positionals.length === 0) throw new WrongCall("There is no URL to check.");
  const formats = FORMATS.filter((format) => format !== "text" && values[format]);
  if (formats.length > 1)
    throw new WrongCall(`Choose one of ${formats.map((each) => `--${each}`).join(" and ")}.`);
  if (values["max-pages"] !== undefined && !values.site)
    throw new WrongCall("--max-pages is for whole sites: it wants --site.");
  return {
    urls: positionals,
    site: values.site ?? false,
    level: levelOf(values.level ?? "AA"),
    checks: checksOf(values.checks ?? "pro"),
    rules: ruleChoiceOf(values.rules, values["no-rule"]),
    format: formats[0] ?? "text",
    concurrency: numberOf("concurrency", values.concurrency, 64),
    maxPages: numberOf("max-pages", values["max-pages"], 100_000),
    waitMs: waitOf(values.wait),
    waitFor: selectorOf(values["wait-for"]),
    allowPrivate: values["allow-private"] ?? [],
  };
}

function parse(args: string[]) {
  const flag = { type: "boolean" } as const;
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { ...flag, short: "h" },
        site: flag,
        json: flag,
        csv: flag,
        sarif: flag,
        level: text,
        checks: text,
        rules: text,
        "no-rule": { ...text, multiple: true },
        "list-rules": flag,
        concurrency: text,
        "max-pages": text,
        wait: text,
        "wait-for": text,
        "allow-private": { ...text, multiple: true },
      },
    });
  } catch (error) {
    throw new WrongCall(error instanceof Error ? error.message : String(error));
  }
}

function levelOf(text: string): Level {
  const level = LEVELS.find((each) => each === text.toUpperCase());
  if (!level) throw new WrongCall(`--level wants A, AA or AAA, not ${text}.`);
  return level;
}

function checksOf(text: string): Checks {
  const checks = CHECKS.find((each) => each === text.toLowerCase());
  if (!checks) throw new WrongCall(`--checks wants axe, free or pro, not ${text}.`);
  return checks;
}

function ruleChoiceOf(only: string | undefined, without: string[] = []): RuleChoice {
  const ids = only?.split(",").map((id) => id.trim()).filter(Boolean);
  if (ids && without.length > 0) throw new WrongCall("Choose one of --rules and --no-rule.");
  if (ids?.length === 0) throw new WrongCall("--rules wants ids of rules, separated by commas.");
  return { only: ids, ...(without.length > 0 && { without }) };
}

function numberOf(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new WrongCall(`--${name} wants a number from 1 to ${most}, not ${text}.`);
  return number;
}

/** Wait of the option. The limit by the page's time budget is checked later, when the settings are known. */
function waitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new WrongCall(`--wait wants a number of milliseconds, not ${text}.`);
  return Number(text);
}

function selectorOf(text: string | undefined): string | undefined {
  if (text !== undefined && !isSelector(text)) throw new WrongCall(`--wait-for wants a CSS selector, not ${text}.`);
  return text?.trim();
}
