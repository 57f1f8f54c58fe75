import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { readRobots } from "~/scan/crawl/files/robots";
import { siteOf } from "~/scan/crawl/addresses/address";
import { createSiteFetch, type FetchedFile, type FetchFailure } from "~/scan/crawl/site-fetch";
import { readSitemaps } from "~/scan/crawl/files/sitemap";
import { SELF_SIGNED } from "../../support/servers/self-signed";
import { openSite, type Handler, type Page, type Site } from "../../support/scan/site";
import { openCanary } from "./canary";

const USER_AGENT = "Mozilla/5.0 (compatible; Rampe/test; +http://rampe.test)";
const MB = 1024 * 1024;

/** Serves pages from loopback for one test. */
async function site(pages: Record<string, Page>, options?: { tls?: boolean }): Promise<Site> {
  const opened = await openSite(pages, options);
  onTestFinished(() => opened.close());
  return opened;
}

/** Server with any answer, and its open connections. */
async function rawServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // A socket without a reader does not notice that the other side has closed.
    socket.on("error", () => {}).once("close", () => sockets.delete(socket)).resume();
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

type Options = Partial<Parameters<typeof createSiteFetch>[0]> & { allow?: string[]; maxBytes?: number; timeoutMs?: number };

async function get(url: string, options: Options = {}): Promise<FetchedFile | FetchFailure> {
  const { allow = ["127.0.0.1/32", "localhost"], maxBytes = MB, timeoutMs, ...rest } = options;
  const fetch = createSiteFetch({ policy: createAddressPolicy(allow), userAgent: USER_AGENT, ...rest });
  return fetch.get(url, { maxBytes, timeoutMs });
}

async function fileAt(url: string, options?: Options): Promise<FetchedFile> {
  const answer = await get(url, options);
  if ("reason" in answer) throw new Error(`no file: ${JSON.stringify(answer)}`);
  return answer;
}

async function reasonAt(url: string, options?: Options): Promise<string> {
  const answer = await get(url, options);
  return "reason" in answer ? answer.reason : `file ${answer.status}`;
}

const redirect = (location: string, status = 302): Page => ({ status, headers: { location } });

describe("a file of a site", () => {
  test("comes with status, headers and body", async () => {
    const { origin } = await site({ "/robots.txt": { headers: { "content-type": "text/plain", "x-a": "b" }, body: "hällo" } });
    const file = await fileAt(`${origin}/robots.txt?a=b#c`);
    expect(file).toMatchObject({ status: 200, url: `${origin}/robots.txt?a=b#c`, cut: false });
    expect(file.headers).toMatchObject({ "content-type": "text/plain", "x-a": "b" });
    expect(file.body.toString()).toBe("hällo");
  });

  test("is requested with our user agent, without cookies", async () => {
    const asked: Record<string, unknown>[] = [];
    const note: Handler = (request, response) => {
      asked.push(request.headers);
      if (request.url === "/a") response.writeHead(302, { location: "/b", "set-cookie": "a=b" }).end();
      else response.end("x");
    };
    const { origin } = await site({ "/a": note, "/b": note });
    await fileAt(`${origin}/a`);
    expect(asked).toHaveLength(2);
    for (const headers of asked) {
      expect(headers).toMatchObject({ "user-agent": USER_AGENT, host: new URL(origin).host });
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["cookie"]));
      expect(JSON.stringify(headers)).not.toContain("proxy");
    }
  });

  test.each([404, 403, 500, 503])("with status %i has no body", async (status) => {
    const { origin } = await site({ "/a": { status, body: "x".repeat(100) } });
    expect(await fileAt(`${origin}/a`)).toMatchObject({ status, body: Buffer.alloc(0) });
  });

  test.each<[string, Buffer]>([
    ["gzip", gzipSync("content")],
    ["x-gzip", gzipSync("content")],
    ["deflate", deflateSync("content")],
    ["deflate", deflateRawSync("content")],
    ["br", brotliCompressSync("content")],
    ["gzip, br", brotliCompressSync(gzipSync("content"))],
    ["identity", Buffer.from("content")],
    ["unheard-of", Buffer.from("content")],
    ["gzip", Buffer.from("content")],
  ])("sent as %s is decoded", async (encoding, body) => {
    const { origin } = await site({ "/a": { headers: { "content-encoding": encoding }, body } });
    expect((await fileAt(`${origin}/a`)).body.toString()).toBe("content");
  });

  test("over https must have a certificate for its name", async () => {
    const { origin, port } = await site({ "/a": "secret" }, { tls: true });
    expect(await reasonAt(`${origin}/a`)).toBe("tls");
    const lookup = async () => ["127.0.0.1"];
    const allow = [`other.example:${port}`, "127.0.0.1/32", "localhost"];
    const ca = SELF_SIGNED.cert;
    expect((await fileAt(`${origin}/a`, { ca })).body.toString()).toBe("secret");
    expect((await fileAt(`https://localhost:${port}/a`, { ca, lookup })).body.toString()).toBe("secret");
    expect(await get(`https://other.example:${port}/a`, { ca, lookup, allow })).toEqual({
      reason: "tls",
      technical: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
  });

  test("over https from a server without TLS fails with a reason", async () => {
    const { port } = await site({ "/a": "x" });
    expect(await reasonAt(`https://127.0.0.1:${port}/a`)).toBe("tls");
    const hangUp = await rawServer((socket) => socket.once("data", () => socket.destroy()));
    expect(await reasonAt(`${hangUp.origin.replace("http:", "https:")}/a`)).toMatch(/^(?:tls|refused)$/);
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("%i is followed", async (status) => {
    const { origin } = await site({ "/a": redirect("b/../c?d#e", status), "/c": "there" });
    const file = await fileAt(`${origin}/a`);
    expect([file.url, file.body.toString()]).toEqual([`${origin}/c?d`, "there"]);
  });

  test("are followed at most five times", async () => {
    const steps = Object.fromEntries(
      Array.from({ length: 6 }, (_, step): [string, Page] => [`/${step}`, redirect(`/${step + 1}`)]),
    );
    const { origin } = await site({ ...steps, "/6": "there", "/loop": redirect("/loop") });
    expect(await reasonAt(`${origin}/1`)).toBe("file 200");
    expect(await reasonAt(`${origin}/0`)).toBe("redirect_loop");
    expect(await reasonAt(`${origin}/loop`)).toBe("redirect_loop");
  });

  test.each([
    ["file:///etc/passwd", "blocked_address"],
    ["javascript:alert(1)", "blocked_address"],
    ["ftp://example.com/", "blocked_address"],
    ["http://[", "invalid_url"],
    ["http://127.0.0.1:22/", "blocked_address"],
    ["http://169.254.169.254/latest/meta-data/", "blocked_address"],
    ["http://10.0.0.1/", "blocked_address"],
  ])("to %s are not followed: %s", async (location, reason) => {
    const { origin } = await site({ "/a": redirect(location) });
    expect(await reasonAt(`${origin}/a`)).toBe(reason);
  });

  test("without a target are ordinary answers", async () => {
    const { origin } = await site({ "/a": { status: 302 } });
    expect(await reasonAt(`${origin}/a`)).toBe("file 302");
  });
});

describe("no private address is connected to", () => {
  test.each([
    ["as an IP address", (port: number) => `http://127.0.0.1:${port}/`],
    ["in other notations", (port: number) => `http://0x7f.1:${port}/`],
    ["as IPv6", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ["as a local name", (port: number) => `http://localhost:${port}/`],
    ["behind a public name", (port: number) => `http://public.example:${port}/`],
    ["over https", (port: number) => `https://public.example:${port}/`],
  ])("%s", async (_name, urlOf) => {
    const canary = await openCanary("127.0.0.1");
    onTestFinished(() => canary.close());
    const lookup = async () => ["127.0.0.1"];
    expect(await reasonAt(urlOf(canary.port), { allow: [], lookup })).toBe("blocked_address");
    expect(canary.hits()).toEqual([]);
  });

  test("after a redirect", async () => {
    const canary = await openCanary("127.0.0.1");
    onTestFinished(() => canary.close());
    const { origin, port } = await site({
      "/a": redirect(`http://127.0.0.1:${canary.port}/`),
      "/b": redirect(`http://public.example:${canary.port}/`),
    });
    const options = { allow: [`127.0.0.1:${port}`], lookup: async () => ["127.0.0.1"] };
    expect(await reasonAt(`${origin}/a`, options)).toBe("blocked_address");
    expect(await reasonAt(`${origin}/b`, options)).toBe("blocked_address");
    expect(canary.hits()).toEqual([]);
  });

  test("when a name changes its address", async () => {
    const { port, requests } = await site({ "/a": "inside" });
    const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"]];
    const lookup = async () => answers.shift() ?? [];
    const reasons: string[] = [];
    while (answers.length > 0)
      reasons.push(await reasonAt(`http://changing.example:${port}/a`, { allow: [`127.0.0.1:${port}`], lookup }));
    expect(reasons).toEqual(["file 200", "blocked_address", "blocked_address"]);
    expect(requests).toEqual(["/a"]);
  });
});

describe("a hostile or missing answer fails with a reason", () => {
  test.each([
    ["no address", "nonsense", "invalid_url"],
    ["another scheme", "ftp://127.0.0.1/", "invalid_url"],
    ["a name without an address", "http://missing.example/", "dns"],
    ["nobody there", "http://127.0.0.1:1025/", "refused"],
  ])("%s", async (_name, url, reason) => {
    const lookup = async () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    expect(await reasonAt(url, { lookup })).toBe(reason);
  });

  test("an endless body is cut, and its connection is closed", async () => {
    let written = 0;
    const { origin, sockets } = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write("x".repeat(10_000))) written += 10_000;
      };
      socket.on("drain", more);
      more();
    });
    const file = await fileAt(`${origin}/`, { maxBytes: 100_000 });
    expect(file).toMatchObject({ cut: true, body: Buffer.alloc(100_000, "x") });
    for (let wait = 0; sockets.size > 0 && wait < 100; wait += 1) await delay(20);
    expect(sockets.size).toBe(0);
    expect(written).toBeLessThan(50 * MB);
  });

  test("a body with exactly the allowed length is complete", async () => {
    const { origin } = await site({ "/a": "x".repeat(1_000) });
    expect(await fileAt(`${origin}/a`, { maxBytes: 1_000 })).toMatchObject({ cut: false });
    expect(await fileAt(`${origin}/a`, { maxBytes: 999 })).toMatchObject({ cut: true });
  });

  test.each<[string, (body: Buffer) => Buffer]>([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("a compression bomb in %s is decoded only up to the limit", async (encoding, pack) => {
    const body = pack(Buffer.alloc(100 * MB));
    const { origin } = await site({ "/a": { headers: { "content-encoding": encoding }, body } });
    const before = process.memoryUsage().arrayBuffers;
    const file = await fileAt(`${origin}/a`, { maxBytes: MB });
    expect([file.cut, file.body.length]).toEqual([true, MB]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * MB);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["says nothing", () => {}],
    ["does not end its headers", (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx: ", "y")],
    ["sends its body byte by byte", (socket) => drip(socket, "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", "y")],
    ["sends empty chunks", (socket) => drip(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n")],
  ])("a server that %s runs into the time limit, and its connection is closed", async (_name, talk) => {
    const { origin, sockets } = await rawServer(talk);
    expect(await reasonAt(`${origin}/`, { timeoutMs: 300 })).toBe("timeout");
    for (let wait = 0; sockets.size > 0 && wait < 100; wait += 1) await delay(20);
    expect(sockets.size).toBe(0);
  });

  function drip(socket: Socket, head: string, drop: string) {
    socket.write(head);
    const timer = setInterval(() => socket.write(drop), 20);
    socket.once("close", () => clearInterval(timer));
  }

  test.each([
    ["huge headers", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}\r\n`],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["nothing", ""],
    ["half an answer", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"],
    ["an invalid length", "HTTP/1.1 200 OK\r\ncontent-length: 1x\r\n\r\n"],
  ])("%s", async (_name, answer) => {
    const { origin } = await rawServer((socket) => socket.once("data", () => socket.end(answer)));
    expect(await reasonAt(`${origin}/`)).toBe("refused");
  });

  const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";

  test.each([
    ["at once", "/"],
    ["after a redirect", "/moved"],
  ])("a server that switches protocols %s does not block, and its connection is closed", async (_name, path) => {
    const { origin, sockets } = await rawServer((socket) =>
      socket.once("data", (head) => {
        const isMoved = head.toString().startsWith("GET /moved");
        socket.write(isMoved ? "HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n" : `${UPGRADE}and more`);
      }),
    );
    expect(await reasonAt(origin + path)).toBe("refused");
    for (let wait = 0; sockets.size > 0 && wait < 100; wait += 1) await delay(20);
    expect(sockets.size).toBe(0);
  });

  test("a server that switches protocols over https does not block", async () => {
    const { origin } = await site({ "/a": (_request, { socket }) => void socket?.write(UPGRADE) }, { tls: true });
    expect(await reasonAt(`${origin}/a`, { ca: SELF_SIGNED.cert })).toBe("refused");
  });

  test.each<[string, (packed: Buffer) => Buffer]>([
    ["breaks off", (packed) => packed.subarray(0, packed.length / 2)],
    ["goes wrong", (packed) => Buffer.from(packed).fill(0xff, packed.length / 2)],
  ])("a compressed body that %s in the middle is decoded up to there", async (_name, spoil) => {
    const text = Array.from({ length: 50_000 }, (_, line) => `line ${line * 7919}`).join("\n");
    const { origin } = await site({
      "/a": { headers: { "content-encoding": "gzip" }, body: spoil(gzipSync(text)) },
    });
    const body = (await fileAt(`${origin}/a`)).body.toString();
    expect(body.length).toBeGreaterThan(100_000);
    expect(text.slice(0, 100_000)).toBe(body.slice(0, 100_000));
  });
});

describe("aborting", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["before an answer", () => {}],
    ["during a body", (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")],
  ])("%s ends the wait, and leaves no connection", async (_name, talk) => {
    const { origin, sockets } = await rawServer((socket) => {
      talk(socket);
      setTimeout(() => stop.abort(new Error("enough")), 50);
    });
    const stop = new AbortController();
    const fetch = createSiteFetch({ policy: createAddressPolicy(["127.0.0.1/32"]), userAgent: USER_AGENT });
    await expect(fetch.get(`${origin}/`, { maxBytes: MB, signal: stop.signal })).rejects.toThrow("enough");
    for (const socket of sockets) await once(socket, "close");
    await expect(fetch.get(`${origin}/`, { maxBytes: MB, signal: stop.signal })).rejects.toThrow("enough");
  });

  test("during a DNS look-up ends the wait", async () => {
    const stop = new AbortController();
    const lookup = () => {
      stop.abort(new Error("enough"));
      return new Promise<string[]>(() => {});
    };
    const fetch = createSiteFetch({ policy: createAddressPolicy([]), userAgent: USER_AGENT, lookup });
    await expect(fetch.get("http://slow.example/", { maxBytes: MB, signal: stop.signal })).rejects.toThrow("enough");
  });
});

describe("over the network", () => {
  test("robots.txt is read through a redirect, and requested three times if it fails", async () => {
    let failures = 2;
    const { origin, requests } = await site({
      "/robots.txt": (_request, response) => {
        if ((failures -= 1) >= 0) response.writeHead(503).end();
        else response.writeHead(301, { location: "/other/robots.txt" }).end();
      },
      "/other/robots.txt": { body: gzipSync("User-agent: rampe\nDisallow: /a\nSitemap: s.xml"), headers: { "content-encoding": "gzip" } },
    });
    const fetch = createSiteFetch({ policy: createAddressPolicy(["127.0.0.1/32"]), userAgent: USER_AGENT });
    const robots = await readRobots(origin, { fetch, userAgent: USER_AGENT });
    expect(robots).toMatchObject({ state: "found", sitemaps: [`${origin}/other/s.xml`] });
    expect(robots.allows(`${origin}/a`)).toBe(false);
    expect(requests.filter((path) => path === "/robots.txt")).toHaveLength(3);
  });

  test("a sitemap that is compressed twice is read, and the address policy applies to its index", async () => {
    const urlset = (...locs: string[]) => `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join("")}</urlset>`;
    const index = (...locs: string[]) =>
      `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join("")}</sitemapindex>`;
    const canary = await openCanary("127.0.0.1");
    onTestFinished(() => canary.close());
    const { origin, port } = await site({
      "/sitemap.xml": index("/1.xml.gz", `http://127.0.0.1:${canary.port}/2.xml`),
      "/1.xml.gz": {
        headers: { "content-encoding": "gzip" },
        body: gzipSync(gzipSync(urlset("/a", "/b"))),
      },
    });
    const report = await readSitemaps([`${origin}/sitemap.xml`], {
      fetch: createSiteFetch({ policy: createAddressPolicy([`127.0.0.1:${port}`]), userAgent: USER_AGENT }),
      site: siteOf(origin),
      mostUrls: 10,
      mostFiles: 10,
      depth: 2,
    });
    expect(report.lists).toEqual([{ sitemap: `${origin}/1.xml.gz`, urls: [`${origin}/a`, `${origin}/b`] }]);
    expect(report.problems).toMatchObject([{ why: expect.stringContaining("blocked_address") }]);
    expect(canary.hits()).toEqual([]);
  });
});
