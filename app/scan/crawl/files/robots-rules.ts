import { normalisePath } from "~/scan/crawl/addresses/address";
import { matchesRobotsPattern } from "~/scan/crawl/addresses/path-pattern";

/** The rules of a robots.txt for one crawler (RFC 9309). */
export interface RobotsRules {
  /** @param path of an address, with its query */
  allows(path: string): boolean;
  /** `Crawl-delay` in seconds, as given; 0 if there is none. */
  crawlDelay: number;
  /** Sitemap addresses as given, for all crawlers. */
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  /** The longer pattern is the more specific rule. */
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  crawlDelay: number;
}

/**
 * Reads a robots.txt for the crawler with a product token.
 *
 * The package robots-parser (3.0.1) is not used: it loses the first group after a byte order mark, and groups whose names
 * are interrupted by a `Sitemap` line, reads `User-agent: Name comment` as another name, and does not compare
 * percent-encoding as the standard requires (2.2.2).
 * @param token undefined for a crawler without a name of its own
 */
export function parseRobots(text: string, token: string | undefined): RobotsRules {
  const { groups, sitemaps } = parse(text);
  const own = token === undefined ? [] : groups.filter(({ agents }) => agents.includes(token.toLowerCase()));
  const ours = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = ours.flatMap((group) => group.rules);
  return {
    allows: (path) => allows(rules, path),
    crawlDelay: Math.max(0, ...ours.map(({ crawlDelay }) => crawlDelay)),
    sitemaps,
  };
}

function parse(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let isNamed = false;

  for (const line of text.split(/\r\n|\r|\n/)) {
    const { name, value } = fieldOf(line);
    if (name === "sitemap" && value !== "") sitemaps.push(value);
    else if (/^user-?agent$/.test(name)) {
      if (!group || isNamed) groups.push((group = { agents: [], rules: [], crawlDelay: 0 }));
      isNamed = false;
      group.agents.push(agentOf(value));
    } else if (group && (name === "allow" || MISSPELT_DISALLOW.test(name) || name === "crawl-delay")) {
      // Lines of other kinds do not end the names of a group (2.2).
      isNamed = true;
      if (name === "crawl-delay") group.crawlDelay ||= Number.parseFloat(value.replace(",", ".")) || 0;
      // An empty rule has no effect.
      else if (value !== "") group.rules.push({ allow: name === "allow", pattern: normalisePath(value) });
    }
  }
  return { groups, sitemaps };
}

/**
 * The name of a line in lower case, and its value; empty for an invalid line. Some sites write `name value`. A single
 * regular expression for all of it would take minutes for some lines of a few thousand blanks.
 */
function fieldOf(line: string): { name: string; value: string } {
  // This also trims a byte order mark.
  const [text = ""] = line.trimStart().split("#", 1);
  const name = /^[a-z-]+(?=[\s:])/i.exec(text)?.[0] ?? "";
  const rest = text.slice(name.length).trim();
  return { name: name.toLowerCase(), value: rest.startsWith(":") ? rest.slice(1).trim() : rest };
}

const MISSPELT_DISALLOW = /^diss?all?ow$/;

/** The product token, without a version or other additions. */
const agentOf = (value: string) => (/^[^\s/;,]+/.exec(value)?.[0] ?? "").toLowerCase();

/** The longest matching rule counts; of two equally long rules, the allowing one (2.2.2). */
function allows(rules: Rule[], path: string): boolean {
  const text = normalisePath(path).replaceAll("*", "%2A").replaceAll("$", "%24");
  let best: Rule | undefined;
  for (const rule of rules) {
    const isLonger = !best || rule.pattern.length > best.pattern.length;
    const decides = isLonger || (rule.pattern.length === best?.pattern.length && rule.allow);
    if (decides && matchesRobotsPattern(rule.pattern, text)) best = rule;
  }
  return best?.allow ?? true;
}

/** Words in the user agents of all browsers and many crawlers. */
const GENERIC = new Set(
  [
    "mozilla applewebkit webkit khtml gecko chrome chromium headlesschrome safari firefox edg edge opr opera",
    "version mobile like compatible msie trident presto linux android windows macintosh x11 rv http https www",
  ].flatMap((names) => names.split(" ")),
);

/**
 * A crawler's name in robots.txt: `Rampe` for `Mozilla/5.0 (compatible; Rampe/1.0; +https://…)`. Undefined for a user
 * agent that names only browsers.
 */
export function productToken(userAgent: string): string | undefined {
  const text = userAgent.replace(/\+?\bhttps?:\S+|\S+@\S+/g, " ");
  const candidates = [
    ...[...text.matchAll(/([\w-]+)\/[\w.]+/g)].map(([, name]) => name),
    /\bcompatible\s*;\s*([\w-]+)/i.exec(text)?.[1],
    /^\s*([\w-]+)/.exec(text)?.[1],
  ];
  return candidates.find((name) => name !== undefined && !GENERIC.has(name.toLowerCase()));
}
