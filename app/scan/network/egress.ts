import { Agent, createServer, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, isIP, isIPv4, type LookupFunction, type Socket } from "node:net";
import { RequestError, Server, type PrepareRequestFunction } from "proxy-chain";
import { canonicalHost, type AddressPolicy } from "./address-policy";
import { createNameService, type Lookup, type NameService } from "./name-service";

/**
 * Why nothing came back from a host and port. `blocked`: the policy refuses it; `dns`: the name has no address;
 * `refused`: nobody answers there, or no way leads there; `timeout`: no connection in time; `reset`: connected, but
 * closed before the first byte of an answer; `garbled`: what came was no HTTP; `overflow`: more headers than fit.
 */
export interface EgressOutcome {
  kind: "blocked" | "dns" | "refused" | "timeout" | "reset" | "garbled" | "overflow";
  /** For logs and experts, in English. */
  technical: string;
  /** The address that is not allowed, where it is not the host itself. */
  address?: string;
}

/** A host and port that the policy refuses. */
export interface Refusal {
  host: string;
  port: number;
  /** The address that is not allowed, where it is not the host itself. */
  address?: string;
}

export interface EgressOptions {
  policy: AddressPolicy;
  /** Shared by several visits; else this one has its own. */
  names?: NameService;
  /** Replaces the system's name services, where the visit has its own. */
  lookup?: Lookup;
  /** Finding the addresses and connecting, together, in ms. */
  connectTimeoutMs?: number;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export interface Egress {
  /** `http://127.0.0.1:port` */
  readonly proxyUrl: string;
  /** What went wrong when `host:port` was last asked for; undefined when a connection stood, or nobody asked. */
  outcome(host: string, port: number): EgressOutcome | undefined;
  /** Every host and port refused so far, once each; at most the last 1,000. */
  refusals(): Refusal[];
  /** From now on, no other port of this host is reached; undefined lifts that again. */
  keepTo(target: { host: string; port: number } | undefined): void;
  /** Bytes received from sites so far, as they came over the wire. */
  bytes(): number;
  /** Ends every connection at once, both ways. */
  close(): Promise<void>;
}

/**
 * Opens the way out of one page visit: a proxy on 127.0.0.1 which judges every connection by the addresses it would
 * really be made to, and makes it to exactly these, so that a name cannot change its mind in between (DNS rebinding).
 *
 * proxy-chain speaks HTTP with the browser, but never connects by itself: its own tunnels (3.0.1, `direct.js`) have no
 * time-out, do not say why they failed, and outlive `close()` while a site does not hang up.
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
  let kept: { host: string; port: number } | undefined;

  /** Connects for one request of the browser, or throws what the proxy answers instead. */
  async function dial(hostname: string, port: number, client: Socket): Promise<Socket> {
    const host = canonicalHost(hostname) ?? hostname;
    const deadline = Date.now() + connectTimeoutMs;
    try {
      const addresses = await allowedAddresses(host, port);
      if (closed || client.destroyed) throw HUNG_UP;
      const target = await connectTo(addresses, { host, port, client, ms: deadline - Date.now() });
      outcomes.delete(keyOf(host, port));
      return target;
    } catch (error) {
      if (closed || client.destroyed) throw HUNG_UP;
      const outcome = asOutcome(error);
      const { kind, ...details } = outcome;
      remember(outcomes, keyOf(host, port), outcome);
      log(`egress.${kind}`, { host, port, ...details });
      throw new RequestError(kind, STATUS[kind]);
    }
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
      // Node gives an address up after this, so it must be more than a slow network needs (the default is 250 ms).
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
      // Stays, so that an error of a standing connection ends that connection and not the process.
      target.on("error", reject);
      target.once("close", () => reject(failure("reset", "hung up")));
    });
  }

  const prepareRequestFunction: PrepareRequestFunction = async ({ request, hostname, port, isHttp }) => {
    // Only what asks for one site and means another would differ here; browsers do not.
    if (isHttp && !namesItsTarget(request)) throw new RequestError("Host is not that of the target", 400);
    const target = await dial(hostname, port, request.socket);
    // proxy-chain passes this one on, and a site could tell by it that there is a proxy.
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
    bytes: () => [...targets].reduce((sum, target) => sum + target.bytesRead, bytesOfClosed),
    async close() {
      closed = true;
      names.close();
      for (const target of targets) target.destroy();
      await server.close(true);
    },
  };
}

/** What `net.connect` takes for a name look-up: the addresses that have been judged. IPv4 first, it is broken less often. */
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

/** proxy-chain takes the number for the word of a proxy behind it, of which there is none. As a text it goes through. */
function passOn407(response: IncomingMessage): void {
  if (response.statusCode === 407) response.statusCode = "407" as unknown as number;
}

/** proxy-chain hands the browser's end of a tunnel to the server given here, after it has said that the tunnel stands. */
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

/** A page can ask for as many hosts as it likes, so the oldest are forgotten. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > 1_000 && oldest !== undefined) map.delete(oldest);
}

/** What the browser is answered; whose answer it was, `outcome` tells. */
const STATUS = { blocked: 403, dns: 502, refused: 502, timeout: 504, reset: 502, garbled: 502, overflow: 502 };

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
 * Chromium's arguments that leave only the proxy of a visit as a way out. Nothing at all is reachable from a browser
 * started like this, except through a context that was created with `contextOptions`.
 */
export function egressFlags(): string[] {
  return [
    // For everything that belongs to no visit: a proxy whose name has no address.
    "--proxy-server=http://no-way-out.invalid:9",
    // Without this the browser reaches loopback and link-local addresses past every proxy.
    "--proxy-bypass-list=<-loopback>",
    // A second wall: the browser itself can resolve nothing, so what forgets the proxy ends here.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    // HTTP/3 runs over UDP, which no HTTP proxy carries.
    "--disable-quic",
    // WebRTC sends UDP around the proxy, and TCP as well. The headless shell knows the first name, Chrome the second.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
}

/** What a browser context of its visit is created with (Puppeteer's `createBrowserContext`). */
export function contextOptions(egress: Egress) {
  return { proxyServer: egress.proxyUrl, proxyBypassList: ["<-loopback>"] };
}
