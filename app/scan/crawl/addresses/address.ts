import { isWebAddress } from "~/scan/network/web-address";
import { doesNotChangePage, isOfVisitor } from "./parameters";

/** The parts of an address that identify its page. */
export interface AddressParts {
  /** Host without `www.`; with the port, unless it is the scheme's default. */
  host: string;
  segments: string[];
  /** Parameters, decoded and sorted. */
  parameters: [name: string, value: string][];
}

/**
 * Common key of all addresses of one page: no fragment, tracking parameters, session ids, sort orders or trailing slash;
 * scheme and `www.` are removed, parameters sorted, default documents folded, and percent-encoding, case of the host and
 * duplicate slashes normalised.
 * @throws {TypeError} for anything but an absolute address
 */
export function pageKey(url: string): string {
  return keyOfParts(partsOf(url));
}

/** The same for an address already split into parts. */
export function keyOfParts({ host, segments, parameters }: AddressParts): string {
  const query = parameters.map((each) => each.map(encodeURIComponent).join("=")).join("&");
  return `${host}/${segments.join("/")}${query && `?${query}`}`;
}

/**
 * The address to visit: as linked, without fragment, credentials, tracking parameters and session ids.
 * @throws {TypeError} for anything but an absolute address
 */
export function visitAddress(url: string): string {
  const address = new URL(url);
  if (address.href.includes("#")) address.hash = "";
  if (address.username || address.password) address.username = address.password = "";
  const pathname = withoutSession(address.pathname);
  if (pathname !== address.pathname) address.pathname = pathname;
  const all = address.search.slice(1).split("&");
  const kept = all.filter((text) => !isOfVisitor(...parameterOf(text)));
  if (kept.length < all.length || address.href.endsWith("?")) address.search = kept.join("&");
  return address.href;
}

/** @throws {TypeError} for anything but an absolute address */
export function partsOf(url: string): AddressParts {
  const address = new URL(url);
  // Without a session id, a segment may be "..", which the URL resolves, as in `visitAddress`.
  const pathname = withoutSession(address.pathname);
  if (pathname !== address.pathname) address.pathname = pathname;
  const { hostname, port, search } = address;
  const segments = normalisePath(address.pathname)
    .split("/")
    .filter((segment) => segment !== "");
  if (DEFAULT_DOCUMENT.test(segments.at(-1) ?? "")) segments.pop();
  const parameters = search
    .slice(1)
    .split("&")
    .filter((text) => text !== "" && text !== "=")
    .map(parameterOf)
    .filter(([name, value]) => !isOfVisitor(name, value) && !doesNotChangePage(name, value))
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue));
  return { host: withoutWww(hostname) + (port && `:${port}`), segments, parameters };
}

/** The addresses that belong to one site. */
export interface Site {
  /**
   * Does this address belong to the site: the same host with or without `www.`, the same port (the default ports of
   * http and https count as one)?
   */
  includes(url: string): boolean;
}

/** The site of an address. */
export function siteOf(startUrl: string): Site {
  const own = siteKey(startUrl);
  return { includes: (url) => isWebAddress(url) && siteKey(url) === own };
}

function siteKey(url: string): string {
  const { hostname, port } = new URL(url);
  return `${withoutWww(hostname)}:${port}`;
}

/** A host without `www.` and final dot. */
function withoutWww(hostname: string): string {
  return hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "");
}

const DEFAULT_DOCUMENT = /^(?:index\.(?:[sx]?html?|php\d?|phtml|aspx?|jspx?|cfm|cgi|do)|default\.(?:aspx?|html?))$/i;

/** Java and PHP write the session id after a semicolon, ASP.NET as `/(S(id))/`. */
function withoutSession(pathname: string): string {
  return pathname
    .replace(/;(?:jsessionid|phpsessid|sessionid|sid|cfid|cftoken)=[^;/]*/gi, "")
    .replace(/\/\((?:[SAF]\([\w-]*\))+\)(?=\/|$)/gi, "");
}

function parameterOf(text: string): [name: string, value: string] {
  const [name = "", ...value] = text.split("=");
  return [decoded(name), decoded(value.join("="))];
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Not UTF-8: an old site; its octets stay as they are.
    return normalisePath(text);
  }
}

/**
 * Normalises the percent-encoding of a path, or of a pattern of robots.txt, so that both can be compared: octets that
 * need no encoding are written plainly, all others are encoded in upper case (RFC 3986, 6.2.2; RFC 9309, 2.2.2).
 */
export function normalisePath(text: string): string {
  return text
    .replace(/%[\da-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+|["<>\\^`{|}[\]]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
