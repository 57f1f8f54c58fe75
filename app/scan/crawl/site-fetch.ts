import { request as httpRequest, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { unlessAborted } from "~/platform/async/deadline";
import type { EventLog } from "~/platform/event-log";
import { accessHeaders, type OriginAccess } from "~/scan/network/access";
import { canonicalHost, type AddressPolicy } from "~/scan/network/address-policy";
import { openEgress, type Egress, type EgressOptions, type EgressOutcome } from "~/scan/network/egress";
import { createNameService } from "~/scan/network/name-service";
import { isWebAddress, targetOf } from "~/scan/network/web-address";
import { decodeBody, readBytes, type Bytes } from "./files/decode";

/** A small file of a site, such as robots.txt or a sitemap. */
export interface FetchedFile extends Bytes {
  status: number;
  headers: Record<string, string>;
  /** The address after redirects. */
  url: string;
  /** Decoded; empty for a status without success. */
  body: Buffer;
  /** The body was longer than allowed. */
  cut: boolean;
}

/** Reason of a missing answer. */
export interface FetchFailure {
  reason: "blocked_address" | "dns" | "refused" | "timeout" | "tls" | "redirect_loop" | "invalid_url";
  /** English details for logs and experts. */
  technical: string;
}

interface FetchOptions {
  /** Limit for the decoded body. */
  maxBytes: number;
  /** Time limit for redirects, connections and body together. */
  timeoutMs?: number;
  /** Credentials, sent only to their origin. */
  access?: OriginAccess;
  signal?: AbortSignal;
}

/**
 * Fetches small files of sites for Node, through the same egress as pages in the browser: the address policy judges every
 * connection, those of redirects too. Sends no cookies except those of an access.
 */
export interface SiteFetch {
  /** Rejects only with the signal's reason when it is aborted; never because of an address or a server. */
  get(url: string, options: FetchOptions): Promise<FetchedFile | FetchFailure>;
}

export interface SiteFetchOptions {
  policy: AddressPolicy;
  userAgent: string;
  log?: EventLog;
}

/** Set only by tests. */
interface Substitutes {
  /** Replaces the name service. */
  lookup?: EgressOptions["lookup"];
  connectTimeoutMs?: number;
  /** Certificates trusted instead of the system's. */
  ca?: string;
}

const MOST_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

export function createSiteFetch(options: SiteFetchOptions & Substitutes): SiteFetch {
  const { userAgent, ca } = options;
  const names = createNameService({ ...options, timeoutMs: options.connectTimeoutMs });

  async function follow(start: string, egress: Egress, { maxBytes, access }: FetchOptions, signal: AbortSignal) {
    let url = start;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const headers = accessHeaders(access, url);
      const response = await ask(url, await connectTo(url, egress, signal), headers, signal);
      const target = redirectOf(response, url);
      if (target === undefined) return read(response, url, maxBytes);
      response.destroy();
      if (!isWebAddress(target)) throw failure("blocked_address", `redirect to ${target.slice(0, 200)}`);
      url = target;
    }
    throw failure("redirect_loop", `more than ${MOST_REDIRECTS} redirects`);
  }

  async function connectTo(url: string, egress: Egress, signal: AbortSignal): Promise<Socket> {
    const { host, port } = targetOf(url);
    const socket = await tunnel(egress, host, port, signal);
    if (!url.startsWith("https:")) return socket;
    const name = canonicalHost(host) ?? host;
    const secure = tlsConnect({
      socket,
      // A literal IP address belongs in the certificate, but not in the TLS greeting (RFC 6066, 3).
      ...(isIP(name) ? { host: name } : { servername: name }),
      ca,
      ALPNProtocols: ["http/1.1"],
    });
    return new Promise((resolve, reject) => {
      secure.once("secureConnect", () => resolve(secure));
      // Stays attached, so that an error of an open connection ends only that connection, not the process.
      secure.on("error", (error: Error) => reject(failureOfTls(error)));
      secure.once("close", () => reject(failure("refused", `${host}:${port} hung up`)));
      signal.addEventListener("abort", () => secure.destroy(), { once: true });
    });
  }

  function ask(
    url: string,
    socket: Socket,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { host, pathname, search } = new URL(url);
    return new Promise((resolve, reject) => {
      httpRequest({
        createConnection: () => socket,
        path: pathname + search,
        headers: {
          host,
          "user-agent": userAgent,
          accept: "text/plain, application/xml, text/xml, */*;q=0.8",
          "accept-encoding": "gzip, deflate, br",
          connection: "close",
          ...headers,
        },
        signal,
      })
        .once("response", resolve)
        // Without a listener, Node would only close the connection, without a reason.
        .once("upgrade", (_response, upgraded) => {
          upgraded.destroy();
          reject(failure("refused", "the server switches protocols"));
        })
        .on("error", reject)
        .once("close", () => reject(failure("refused", `${host} hung up`)))
        .end();
    });
  }

  return {
    async get(url, request) {
      const { timeoutMs = TIMEOUT_MS, signal } = request;
      signal?.throwIfAborted();
      if (!isWebAddress(url)) return failureOf("invalid_url", "no web address");
      const timeout = AbortSignal.timeout(timeoutMs);
      const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const egress = await openEgress({ ...options, names });
      try {
        return await unlessAborted([ended], follow(url, egress, request, ended));
      } catch (error) {
        signal?.throwIfAborted();
        if (timeout.aborted) return failureOf("timeout", `no answer within ${timeoutMs} ms`);
        return error instanceof Error && "failure" in error
          ? (error.failure as FetchFailure)
          : failureOf("refused", codeOf(error));
      } finally {
        await egress.close();
      }
    },
  };
}

/** Fetches with access to a non-public site. */
export function fetchWithAccess(fetch: SiteFetch, access: OriginAccess | undefined): SiteFetch {
  return access ? { get: (url, options) => fetch.get(url, { ...options, access }) } : fetch;
}

/** Connects through the egress filter, which judges and makes the connection. */
function tunnel(egress: Egress, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const proxy = new URL(egress.proxyUrl);
  return new Promise((resolve, reject) => {
    httpRequest({
      host: proxy.hostname,
      port: proxy.port,
      method: "CONNECT",
      path: `${host}:${port}`,
      agent: false,
      signal,
    })
      .once("connect", (response: IncomingMessage, socket: Socket, head: Buffer) => {
        if (response.statusCode === 200) {
          // Early data from the server.
          if (head.length > 0) socket.unshift(head);
          return resolve(socket);
        }
        socket.destroy();
        reject(failureOfEgress(egress.outcome(host, port)));
      })
      .on("error", reject)
      .end();
  });
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, base: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined;
  if (!URL.canParse(headers.location, base))
    throw failure("invalid_url", `redirect to ${headers.location.slice(0, 200)}`);
  const target = new URL(headers.location, base);
  target.hash = "";
  return target.href;
}

async function read(response: IncomingMessage, url: string, maxBytes: number): Promise<FetchedFile> {
  const { statusCode: status = 0 } = response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  if (status < 200 || status > 299) {
    response.destroy();
    return { status, headers, url, body: Buffer.alloc(0), cut: false };
  }
  const bytes = await readBytes(response, maxBytes);
  const decoded = await decodeBody(bytes, headers["content-encoding"] ?? "", maxBytes);
  return { status, headers, url, ...decoded };
}

const EGRESS: Record<EgressOutcome["kind"], FetchFailure["reason"]> = {
  blocked: "blocked_address",
  dns: "dns",
  refused: "refused",
  timeout: "timeout",
  reset: "refused",
  garbled: "refused",
  overflow: "refused",
};

function failureOfEgress(outcome: EgressOutcome | undefined): Error {
  if (!outcome) return failure("refused", "no connection");
  return failure(EGRESS[outcome.kind] ?? "refused", outcome.technical);
}

/** A closed connection is not a certificate error. */
function failureOfTls(error: Error): Error {
  const code = codeOf(error);
  return failure(/^E(?:CONN|PIPE|TIMEDOUT)/.test(code) ? "refused" : "tls", code);
}

const failureOf = (reason: FetchFailure["reason"], technical: string): FetchFailure => ({ reason, technical });

const failure = (reason: FetchFailure["reason"], technical: string): Error & { failure: FetchFailure } =>
  Object.assign(new Error(technical), { failure: failureOf(reason, technical) });

const codeOf = (error: unknown) =>
  error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
