import { Agent, createServer, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, isIP, isIPv4, type LookupFunction, type Socket } from "node:net";
import { RequestError, Server, type PrepareRequestFunction } from "proxy-chain";
import type { EventLog } from "~/platform/event-log";
import { setNewest } from "~/scan/limited-map";
import { canonicalHost, type AddressPolicy } from "./address-policy";
import { createNameService, type Lookup, type NameService } from "./name-service";

/**
 * Reason why a host and port gave no answer. `blocked`: the policy refuses it; `dns`: the name has no address; `refused`: no
 * service there, or no route; `timeout`: no connection in time; `reset`: connected, but closed before the first byte of
 * an answer; `garbled`: the answer was not HTTP; `overflow`: too many headers.
 */
export interface EgressOutcome {
  kind: "blocked" | "dns" | "refused" | "timeout" | "reset" | "garbled" | "overflow";
  /** English details for logs and experts. */
  technical: string;
  /** The refused address, if it is not the host itself. */
  address?: string;
}

/** A host and port that the policy refuses. */
interface Refusal {
  host: string;
  port: number;
  /** The refused address, if it is not the host itself. */
  address?: string;
}

export interface EgressOptions {
  policy: AddressPolicy;
  /** Name service of several visits; by default, this visit has its own. */
  names?: NameService;
  /** Replaces the system's name services, if the visit has its own name service. */
  lookup?: Lookup;
  /** Time limit for DNS look-up and connecting together, in ms. */
  connectTimeoutMs?: number;
  log?: EventLog;
}

export interface Egress {
  /** `http://127.0.0.1:port` */
  readonly proxyUrl: string;
  /** The failure of the last request for `host:port`; undefined after a connection, or without a request. */
  outcome(host: string, port: number): EgressOutcome | undefined;
  /** Every host and port refused so far, once each; at most the last 1,000. */
  refusals(): Refusal[];
  /** Refuses other ports of this host until the next call; undefined allows them again. */
  keepTo(target: { host: string; port: number } | undefined): void;
  /** Bytes received from sites so far, as transferred. */
  bytes(): number;
  /** Ends every connection to sites, and refuses all further ones. Cannot be undone. */
  cut(): void;
  /** Number of connections refused since the cut. */
  refusedSinceCut(): number;
  /** Ends every connection at once, both ways. */
  close(): Promise<void>;
}

/**
 * Opens the egress of one page visit: a proxy on 127.0.0.1 that judges every connection by its real target addresses, and
 * connects to exactly these, so that a name cannot change in between (DNS rebinding).
 *
 * proxy-chain speaks HTTP with the browser, but never connects itself: its own tunnels (3.0.1, `direct.js`) have no
 * time-out, do not report why they failed, and stay open after `close()` until the site closes.
 */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const { policy, connectTimeoutMs = 10_000, log = () => {} } = options;
  const service = options.names ?? createNameService({ ...options, timeoutMs: connectTimeoutMs });
  const names = service.open();
  const outcomes = new Map<string, EgressOutcome>();
  const refusals = new Map<string, Refusal>();
  const targets = new Set<Socket>();
  let bytesOfClosed = 0;
  let closed = false;
  let isCut = false;
  let refusedSinceCut = 0;
  let kept: { host: string; port: number } | undefined;

  /** Connects for one request of the browser, or throws the proxy's error answer. */
  async function dial(hostname: string, port: number, client: Socket): Promise<Socket> {
    const host = canonicalHost(hostname) ?? hostname;
    const deadline = performance.now() + connectTimeoutMs;
    refuseAfterCut();
    try {
      const addresses = await allowedAddresses(host, port);
      if (closed || client.destroyed) throw HUNG_UP;
      refuseAfterCut();
      const target = await connectTo(addresses, { host, port, client, ms: deadline - performance.now() });
      outcomes.delete(keyOf(host, port));
      return target;
    } catch (error) {
      if (closed || client.destroyed) throw HUNG_UP;
      if (error === OFFLINE) throw error;
      const outcome = asOutcome(error);
      const { kind, ...details } = outcome;
      remember(outcomes, keyOf(host, port), outcome);
      log(`egress.${kind}`, { host, port, ...details });
      throw new RequestError(kind, STATUS[kind]);
    }
  }

  function refuseAfterCut(): void {
    if (!isCut) return;
    refusedSinceCut += 1;
    throw OFFLINE;
  }

  async function allowedAddresses(host: string, port: number): Promise<string[]> {
    const refuse = (why: string, address?: string) => {
      remember(refusals, keyOf(host, port), { host, port, address });
      return failure("blocked", why, address);
    };
    const reason = policy.refuses(host, port);
    if (reason) throw refuse(reason === "port" ? `port ${port} is not allowed` : `${host} is not public`);
    if (kept && host === kept.host && port !== kept.port) throw refuse(`only port ${kept.port} is allowed here`);
    if (isIP(host)) return [host];

    const addresses = await names.addressesOf(host).catch((error: unknown) => {
      throw failure("dns", `${host} has no address (${codeOf(error)})`);
    });
    const refusedAddress = addresses.find((address) => !policy.allowsAddress(address, host, port));
    if (refusedAddress !== undefined) throw refuse(`${host} is not public`, refusedAddress);
    if (addresses.length === 0) throw failure("dns", `${host} has no address`);
    return addresses;
  }

  function connectTo(
    addresses: string[],
    to: { host: string; port: number; client: Socket; ms: number },
  ): Promise<Socket> {
    const { host, port, client, ms } = to;
    const target = connect({
      host,
      port,
      lookup: pinnedTo(addresses),
      noDelay: true,
      autoSelectFamily: true,
      // Node gives up an address after this time, so it must exceed a slow network's need (the default is 250 ms).
      autoSelectFamilyAttemptTimeout: 2_000,
    });
    const hangUp = () => target.destroy();
    const noteReset = () => {
      if (target.bytesWritten === 0 || target.bytesRead > 0 || client.readableEnded) return;
      remember(outcomes, keyOf(host, port), { kind: "reset", technical: `${host}:${port} hung up` });
    };
    const timer = setTimeout(
      () => target.destroy(failure("timeout", `no connection to ${host}:${port}`)),
      ms,
    );
    targets.add(target);
    client.once("close", hangUp);
    target.once("error", noteReset).once("end", noteReset);
    target.once("close", () => {
      clearTimeout(timer);
      targets.delete(target);
      client.off("close", hangUp);
      bytesOfClosed += target.bytesRead;
    });
    return new Promise((resolve, reject) => {
      target.once("connect", () => {
        clearTimeout(timer);
        resolve(target);
      });
      // Stays attached, so that an error of an open connection ends only that connection, not the process.
      target.on("error", reject);
      target.once("close", () => reject(failure("reset", "hung up")));
    });
  }

  const prepareRequestFunction: PrepareRequestFunction = async ({ request, hostname, port, isHttp }) => {
    // A different Host header means a disguised target; browsers do not send that.
    if (isHttp && !namesItsTarget(request)) throw new RequestError("Host is not that of the target", 400);
    const target = await dial(hostname, port, request.socket);
    // proxy-chain forwards this header, which would reveal the proxy to a site.
    dropHeader(request, "proxy-connection");
    if (!isHttp) return { customConnectServer: tunnelTo(target) };
    const noteGarbled = (error: Error) => {
      if (target.bytesRead === 0 || request.socket.destroyed) return;
      const kind = codeOf(error) === "HPE_HEADER_OVERFLOW" ? "overflow" : "garbled";
      remember(outcomes, keyOf(hostname, port), { kind, technical: `no HTTP (${codeOf(error)})` });
    };
    return { httpAgent: agentOf(target, noteGarbled) };
  };

  const server = new Server({ host: "127.0.0.1", port: 0, prepareRequestFunction });
  await server.listen();

  return {
    proxyUrl: `http://127.0.0.1:${server.port}`,
    outcome: (host, port) => outcomes.get(keyOf(host, port)),
    refusals: () => [...refusals.values()],
    keepTo(target) {
      kept = target && { ...target, host: canonicalHost(target.host) ?? target.host };
    },
    cut() {
      isCut = true;
      for (const target of targets) target.destroy();
    },
    refusedSinceCut: () => refusedSinceCut,
    bytes: () => [...targets].reduce((sum, target) => sum + target.bytesRead, bytesOfClosed),
    async close() {
      closed = true;
      names.close();
      for (const target of targets) target.destroy();
      await server.close(true);
    },
  };
}

/** A name look-up for `net.connect` that returns the judged addresses. IPv4 first: it fails less often. */
function pinnedTo(addresses: string[]): LookupFunction {
  const entries = addresses
    .map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
    .sort((a, b) => a.family - b.family);
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all || !first) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

/** Makes `http.request` use this connection and no other. */
function agentOf(target: Socket, onGarbled: (error: Error) => void): Agent {
  const agent = new Agent({ keepAlive: false }) as Agent & {
    addRequest(request: ClientRequest, ...rest: unknown[]): void;
  };
  agent.createConnection = () => target;
  const { addRequest } = agent;
  agent.addRequest = (request, ...rest) => {
    request.once("error", onGarbled);
    request.prependOnceListener("response", passOn407);
    addRequest.call(agent, request, ...rest);
  };
  return agent;
}

/** proxy-chain treats the number 407 as the answer of an upstream proxy, which does not exist. A string passes through. */
function passOn407(response: IncomingMessage): void {
  if (response.statusCode === 407) response.statusCode = "407" as unknown as number;
}

/** proxy-chain passes the browser's end of a tunnel to this server, after it has confirmed the tunnel. */
function tunnelTo(target: Socket) {
  const server = createServer();
  server.removeAllListeners("connection");
  server.on("connection", (client: Socket) => {
    if (target.destroyed) return client.destroy();
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
    target.once("close", () => client.destroySoon());
    client.pipe(target).pipe(client);
  });
  return server;
}

function namesItsTarget({ headers, url = "" }: IncomingMessage): boolean {
  const host = `http://${headers.host}`;
  return URL.canParse(host) && new URL(host).host === new URL(url).host;
}

function dropHeader(request: IncomingMessage, name: string): void {
  const at = request.rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name);
  if (at >= 0) request.rawHeaders.splice(at, 2);
}

const keyOf = (host: string, port: number) => `${canonicalHost(host) ?? host} ${port}`;

/** A page can request any number of hosts, so the oldest are forgotten. */
const remember = <T>(map: Map<string, T>, key: string, value: T) => setNewest(map, key, value, 1_000);

/** Status sent to the browser; `outcome` tells whether it was ours. */
const STATUS = { blocked: 403, dns: 502, refused: 502, timeout: 504, reset: 502, garbled: 502, overflow: 502 };

const OFFLINE = new RequestError("the connection of this visit is cut", 503);
const HUNG_UP = new RequestError("the browser has hung up", 499);

type Failure = Error & { outcome: EgressOutcome };

const failure = (kind: EgressOutcome["kind"], technical: string, address?: string): Failure =>
  Object.assign(new Error(technical), { outcome: { kind, technical, address } });

function asOutcome(error: unknown): EgressOutcome {
  if (error instanceof Error && "outcome" in error) return (error as Failure).outcome;
  const code = codeOf(error);
  if (code === "ETIMEDOUT") return { kind: "timeout", technical: code };
  if (code === "ECONNRESET") return { kind: "reset", technical: code };
  return { kind: "refused", technical: code };
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/**
 * Chromium's arguments that allow network access only through the proxy of a visit. A browser started with them reaches
 * nothing, except through a context created with `contextOptions`.
 */
export function egressFlags(): string[] {
  return [
    // Proxy for traffic outside of visits: its name has no address.
    "--proxy-server=http://no-way-out.invalid:9",
    // Without this the browser bypasses every proxy for loopback and link-local addresses.
    "--proxy-bypass-list=<-loopback>",
    // Second protection: the browser cannot resolve names, so traffic that bypasses the proxy fails.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    // HTTP/3 runs over UDP, which no HTTP proxy carries.
    "--disable-quic",
    // WebRTC sends UDP and TCP past the proxy. The headless shell knows the first flag name, Chrome the second.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
}

/** Options for the browser context of its visit (Puppeteer's `createBrowserContext`). */
export function contextOptions(egress: Egress) {
  return { proxyServer: egress.proxyUrl, proxyBypassList: ["<-loopback>"] };
}
