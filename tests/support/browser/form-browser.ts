import { request as askHttp } from "node:http";
import { request as askHttps } from "node:https";
import { CookieJar } from "./cookie-jar";
import { SELF_SIGNED } from "../servers/self-signed";

/** Maximum number of redirects, as in Chromium. */
const MOST_REDIRECTS = 20;

/** Complete answer. */
export interface Answer {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  /** Target of the redirect, as sent; null without a redirect. */
  location: string | null;
}

/** Answer after all redirects. */
export interface Page extends Answer {
  /** Visible text. */
  words: string;
  /** Addresses of the redirects, and of this page. */
  visited: URL[];
}

/** HTTP client that works like a browser without scripts: it sends forms, keeps cookies and follows redirects. */
export interface FormBrowser {
  readonly cookies: CookieJar;
  get(address: string | URL, headers?: Record<string, string>): Promise<Answer>;
  post(address: string | URL, fields?: Record<string, string> | URLSearchParams, headers?: Record<string, string>): Promise<Answer>;
  /** Follows redirects, also to other origins. @throws for endless redirects */
  open(address: string | URL): Promise<Page>;
  /** Sends a form and follows redirects. */
  submit(address: string | URL, fields?: Record<string, string> | URLSearchParams): Promise<Page>;
}

/**
 * @param origin base of relative addresses
 * @param headers headers of every request, such as `X-Forwarded-For`
 */
export function openFormBrowser(origin: string, headers: Record<string, string> = {}): FormBrowser {
  const cookies = new CookieJar(origin);

  async function send(address: string | URL, more: Record<string, string>, body?: string): Promise<Answer> {
    const url = new URL(address, origin);
    const cookie = cookies.headerFor(url);
    const answer = await ask(url, { ...headers, ...(cookie && { Cookie: cookie }), ...more }, body);
    for (const line of answer.headers.getSetCookie()) cookies.keep(url, line);
    return answer;
  }

  async function follow(first: Answer): Promise<Page> {
    const visited = [first.url];
    let answer = first;
    for (; answer.status >= 300 && answer.status < 400 && answer.location !== null; visited.push(answer.url)) {
      if (visited.length > MOST_REDIRECTS) throw new Error(`a loop: ${visited.slice(-6).join("\n")}`);
      answer = await get(new URL(answer.location, answer.url));
    }
    return { ...answer, words: wordsIn(answer.text), visited };
  }

  const get: FormBrowser["get"] = (address, more = {}) => send(address, more);
  const post: FormBrowser["post"] = (address, fields = {}, more = {}) => {
    const body = new URLSearchParams(fields).toString();
    const about = { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8", "Content-Length": String(Buffer.byteLength(body)) };
    return send(address, { ...about, ...more }, body);
  };
  return {
    cookies,
    get,
    post,
    open: async (address) => follow(await get(address)),
    submit: async (address, fields) => follow(await post(address, fields)),
  };
}

/** Sends one request. Without `fetch`, which does not trust our certificates. */
function ask(url: URL, headers: Record<string, string>, body?: string): Promise<Answer> {
  const request = url.protocol === "https:" ? askHttps : askHttp;
  return new Promise((resolve, reject) => {
    // New connection for each request: a server may close a kept connection in the moment of the next use.
    const options = { method: body === undefined ? "GET" : "POST", headers, agent: false, ca: SELF_SIGNED.cert } as const;
    request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(response.headersDistinct)) for (const value of values) headers.append(name, value);
        const text = new TextDecoder().decode(Buffer.concat(chunks));
        resolve({ url, status: response.statusCode ?? 0, headers, text, location: headers.get("location") });
      });
    })
      .once("error", reject)
      .end(body);
  });
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&#x27;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

function wordsIn(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ");
}
