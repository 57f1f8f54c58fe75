/** Reasons why a typed text is not an address that can be checked. */
export const ADDRESS_PROBLEMS = [
  "missing",
  "not_an_address",
  "scheme",
  "credentials",
  "port",
  "private",
  "too_long",
] as const;
export type AddressProblem = (typeof ADDRESS_PROBLEMS)[number];

export type StartAddress = { ok: true; url: string } | { ok: false; problem: AddressProblem };

/** Reason to refuse an address by its text alone (`AddressPolicy.refuses`). */
export type Refuses = (host: string, port: number) => "private" | "port" | undefined;

/** Maximum length of the typed text, and of the address made from it. */
const LONGEST = 2_048;

/**
 * Reads a typed or pasted web address. Corrects mistakes that have only one possible meaning, and names the problem
 * otherwise. The fragment is removed: it belongs to a part of the same page.
 */
export function parseStartAddress(typed: string, refuses: Refuses): StartAddress {
  // Twice the limit: text around the address does not count.
  const trimmed = typed.trim();
  if (trimmed.length > 2 * LONGEST) return problem("too_long");
  const text = unwrap(joinLines(trimmed));
  if (text.length > LONGEST) return problem("too_long");
  const { scheme, rest } = splitScheme(text);
  if (rest === "") return problem("missing");
  const misfit = scheme ? undefined : otherScheme(rest);
  if (misfit) return problem(misfit);

  const spaceless = rest.replace(/^[^/?#]*\/? ?/, (host) => host.replace(/ ?([./:]) ?/g, "$1"));
  const address = `${scheme ?? guessScheme(spaceless)}://${spaceless}`;
  if (!URL.canParse(address)) return problem(hasPort(spaceless) ? "port" : "not_an_address");
  const url = new URL(address);
  if (url.username || url.password) return problem(scheme || url.password ? "credentials" : "not_an_address");

  url.hash = "";
  url.hostname = url.hostname.replace(/\.+$/, "");
  const host = url.hostname;
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  if (!isAddress(host) && !isName(host)) return problem("not_an_address");
  const refusal = refuses(host, port);
  if (refusal) return problem(refusal === "private" && isWord(host) ? "not_an_address" : refusal);
  if (url.href.length > LONGEST) return problem("too_long");
  return { ok: true, url: url.href };
}

const problem = (problem: AddressProblem): StartAddress => ({ ok: false, problem });

/** Removes invisible characters, and the line breaks that mail programs put into long addresses. */
function joinLines(typed: string): string {
  return typed
    .replace(/\p{Cf}/gu, "")
    .replace(/\s*[\r\n\u2028\u2029]\s*/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

const AFTER_ADDRESS = /[\s"'`>}«»“”‘’‹›.,:;!?]/;

/** Removes quotation marks and brackets around the address, and punctuation of the sentence it was copied from. */
function unwrap(text: string): string {
  const bare = text.replace(/^[\s"'`<({«»„“”‚‘’‹›]+/, "");
  let surplus = bare.split(")").length - bare.split("(").length;
  let end = bare.length;
  // Loop instead of a regular expression, which would start again at each position.
  for (; end > 0; end -= 1) {
    const last = bare.charAt(end - 1);
    if (last === ")" ? surplus <= 0 : !AFTER_ADDRESS.test(last)) break;
    if (last === ")") surplus -= 1;
  }
  return bare.slice(0, end);
}

/** Accepts the wrong schemes `http:/x`, `https//x`, `https:x`, `//x` and `https://https://x`. */
function splitScheme(text: string): { scheme: "http" | "https" | undefined; rest: string } {
  const [prefix = ""] = /^(?:https?(?: ?: ?[ /\\]*| ?[/\\]{2,} ?|$))+|^[ /\\]+/i.exec(text) ?? [];
  const [scheme] =
    prefix
      .toLowerCase()
      .match(/https?/g)
      ?.slice(-1) ?? [];
  return { scheme: scheme as "http" | "https" | undefined, rest: text.slice(prefix.length) };
}

/** Problem of other schemes such as `mailto:`. But `name:8080` is a host with a port, and `name:secret@…` contains a password. */
function otherScheme(text: string): AddressProblem | undefined {
  const [, name, rest = ""] = /^([a-z][a-z\d+.-]*) ?:(.*)$/is.exec(text) ?? [];
  if (name === undefined || /^ ?\d+ ?(?:[/?#]|$)/.test(rest)) return undefined;
  if (/^(?!\/\/)[^/?#]+@/.test(rest) && !/^(?:mailto|sips?|xmpp|data|javascript)$/i.test(name))
    return "credentials";
  return name.includes(".") ? "port" : "scheme";
}

/**
 * Default scheme: https. But certificates are issued for names, and a port usually means a private test server; browsers
 * also try http in these cases.
 */
function guessScheme(rest: string): "http" | "https" {
  const authority = rest.replace(/[/\\?#].*$/s, "").toLowerCase();
  const [, host = authority, port] = /^(.*?)(?::(\d*))?$/.exec(authority) ?? [];
  if (port) return port.endsWith("443") ? "https" : "http";
  const canonical = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
  return isAddress(canonical) || /(?:^|\.)localhost\.?$/.test(canonical) ? "http" : "https";
}

const hasPort = (rest: string) => /^[^/\\?#[\]]*:\d+(?:[/\\?#]|$)/.test(rest);

/** True for an IP address in the form of the URL parser. */
const isAddress = (host: string) => host.startsWith("[") || /^[\d.]+$/.test(host);

const isName = (host: string) =>
  host.length <= 253 &&
  host.split(".").every((label) => /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label));

/** True for a single word, which is probably no address, except `localhost`. */
const isWord = (host: string) => !isAddress(host) && !host.includes(".") && host !== "localhost";
