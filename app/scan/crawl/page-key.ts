import { isOfLittleWeight, isOfVisitor } from "./traps/parameters";
import { comparable } from "./percent-encoding";

/** The parts of an address that identify its page. */
export interface AddressParts {
  /** Without `www.`; with the port, unless it is the scheme's default. */
  host: string;
  segments: string[];
  /** Decoded and sorted. */
  parameters: [name: string, value: string][];
}

/**
 * Common key of all addresses of one page: no fragment, tracking parameters, session ids, sort orders or trailing slash;
 * scheme and `www.` are left out, parameters sorted, default documents folded, and percent-encoding, case of the host and
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
  const { hostname, port, pathname, search } = new URL(url);
  const segments = comparable(withoutSession(pathname))
    .split("/")
    .filter((segment) => segment !== "");
  if (DEFAULT_DOCUMENT.test(segments.at(-1) ?? "")) segments.pop();
  const parameters = search
    .slice(1)
    .split("&")
    .filter((text) => text !== "" && text !== "=")
    .map(parameterOf)
    .filter(([name, value]) => !isOfVisitor(name, value) && !isOfLittleWeight(name, value))
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue));
  return { host: withoutWww(hostname) + (port && `:${port}`), segments, parameters };
}

const DEFAULT_DOCUMENT = /^(?:index\.(?:[sx]?html?|php\d?|phtml|aspx?|jspx?|cfm|cgi|do)|default\.(?:aspx?|html?))$/i;

/** A host without `www.` and final dot. */
export function withoutWww(hostname: string): string {
  return hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "");
}

/** Java and PHP write it after a semicolon, ASP.NET as `/(S(id))/`. */
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
    return comparable(text);
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
