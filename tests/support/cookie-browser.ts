import { request as askHttp, type IncomingHttpHeaders } from "node:http";
import { request as askHttps } from "node:https";
import { SELF_SIGNED } from "./self-signed";

/** The same limit as Chromium's. */
const MOST_REDIRECTS = 20;

export interface Page {
  /** Final address, after redirects. */
  url: URL;
  status: number;
  headers: IncomingHttpHeaders;
  html: string;
  /** The visible text. */
  text: string;
  /** All addresses of the redirects, including this one. */
  visited: URL[];
}

interface Cookie {
  host: string;
  path: string;
  secure: boolean;
  name: string;
  value: string;
}

/** A browser without scripts: it follows redirects across origins, keeps cookies by host, and sends forms. */
export type CookieBrowser = ReturnType<typeof openCookieBrowser>;

/** @param origin base of relative addresses */
export function openCookieBrowser(origin: string) {
  const jar = new Map<string, Cookie>();
  return { get, post, step, cookie, setCookie, dropCookie };

  /** @throws if the redirects do not end */
  async function get(address: string | URL): Promise<Page> {
    return follow(await step(address));
  }

  /** Sends a form, with the same origin as the page. */
  async function post(address: string | URL, fields: Record<string, string> = {}): Promise<Page> {
    return follow(await step(address, fields));
  }

  async function follow(first: Page): Promise<Page> {
    const visited = [...first.visited];
    let page = first;
    for (; page.status >= 300 && page.status < 400 && page.headers.location; visited.push(page.url)) {
      if (visited.length > MOST_REDIRECTS) throw new Error(`a loop: ${visited.slice(-6).join("\n")}`);
      page = await step(new URL(page.headers.location, page.url));
    }
    return { ...page, visited };
  }

  /** One request; redirects are not followed. */
  async function step(address: string | URL, fields?: Record<string, string>): Promise<Page> {
    const url = new URL(address, origin);
    const answer = await send(url, cookiesFor(url), fields);
    for (const line of answer.headers["set-cookie"] ?? []) keep(url, line);
    return answer;
  }

  function cookiesFor({ hostname, pathname, protocol }: URL): string {
    return [...jar.values()]
      .filter(({ host, path, secure }) => host === hostname && isBelow(pathname, path) && (protocol === "https:" || !secure))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }

  function keep({ hostname: host }: URL, line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const attribute = (wanted: string) =>
      attributes.map((each) => each.split("=")).find(([found]) => found?.toLowerCase() === wanted)?.[1];
    const path = attribute("path") ?? "/";
    const secure = attributes.some((each) => each.toLowerCase() === "secure");
    if (attribute("max-age") === "0") jar.delete(`${host} ${name} ${path}`);
    else jar.set(`${host} ${name} ${path}`, { host, path, secure, name, value });
  }

  /** The value of our own server's cookie. */
  function cookie(name: string): string | undefined {
    return [...jar.values()].find((each) => each.host === new URL(origin).hostname && each.name === name)?.value;
  }

  function setCookie(name: string, value: string): void {
    const host = new URL(origin).hostname;
    jar.set(`${host} ${name} /`, { host, path: "/", secure: false, name, value });
  }

  function dropCookie(name: string): void {
    jar.delete(`${new URL(origin).hostname} ${name} /`);
  }
}

const isBelow = (pathname: string, path: string) => path === "/" || pathname === path || pathname.startsWith(`${path}/`);

function send(url: URL, cookies: string, fields?: Record<string, string>): Promise<Page> {
  const body = fields && new URLSearchParams(fields).toString();
  const form = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", origin: url.origin };
  const headers = {
    "accept-language": "en",
    ...(cookies && { cookie: cookies }),
    ...form,
    ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
  };
  const ask = url.protocol === "https:" ? askHttps : askHttp;
  return new Promise((resolve, reject) => {
    const request = ask(url, { method: body === undefined ? "GET" : "POST", headers, ca: SELF_SIGNED.cert }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const html = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = response;
        resolve({ url, status, headers, html, text: textOf(html), visited: [url] });
      });
    });
    request.once("error", reject);
    request.end(body);
  });
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&#x27;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

function textOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ");
}
