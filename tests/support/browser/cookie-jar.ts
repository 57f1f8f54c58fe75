interface Cookie {
  host: string;
  path: string;
  secure: boolean;
  name: string;
  value: string;
}

/** Cookies by host and path, as in browsers. Its iterator lists the cookies of one host, our own server, by name. */
export class CookieJar implements Iterable<[name: string, value: string]> {
  readonly #host: string;
  readonly #cookies = new Map<string, Cookie>();

  constructor(origin: string) {
    this.#host = new URL(origin).hostname;
  }

  get(name: string): string | undefined {
    return this.#own().find((cookie) => cookie.name === name)?.value;
  }

  set(name: string, value: string): void {
    this.#put({ host: this.#host, path: "/", secure: false, name, value });
  }

  delete(name: string): void {
    for (const [key, cookie] of this.#cookies) if (cookie.host === this.#host && cookie.name === name) this.#cookies.delete(key);
  }

  clear(): void {
    this.#cookies.clear();
  }

  get size(): number {
    return this.#own().length;
  }

  *[Symbol.iterator](): Iterator<[name: string, value: string]> {
    for (const { name, value } of this.#own()) yield [name, value];
  }

  /** `Cookie` header for an address; empty without cookies. */
  headerFor({ hostname, pathname, protocol }: URL): string {
    return [...this.#cookies.values()]
      .filter(({ host, path, secure }) => host === hostname && isBelow(pathname, path) && (protocol === "https:" || !secure))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }

  /** @param line `Set-Cookie` header of an answer */
  keep({ hostname: host }: URL, line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const attribute = (wanted: string) =>
      attributes.map((each) => each.split("=")).find(([found]) => found?.toLowerCase() === wanted)?.[1];
    const path = attribute("path") ?? "/";
    const secure = attributes.some((each) => each.toLowerCase() === "secure");
    if (attribute("max-age") === "0") this.#cookies.delete(keyOf({ host, path, name }));
    else this.#put({ host, path, secure, name, value });
  }

  #own(): Cookie[] {
    return [...this.#cookies.values()].filter(({ host }) => host === this.#host);
  }

  #put(cookie: Cookie): void {
    this.#cookies.set(keyOf(cookie), cookie);
  }
}

const keyOf = ({ host, name, path }: Pick<Cookie, "host" | "name" | "path">) => `${host} ${name} ${path}`;

const isBelow = (pathname: string, path: string) => path === "/" || pathname === path || pathname.startsWith(`${path}/`);
