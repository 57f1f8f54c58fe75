import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer, type AddressInfo } from "node:net";
import { openSite, type Handler, type Site } from "./site";
import type { Ports } from "./network-exits";

export interface WatchedSite extends Pick<Site, "port" | "url" | "close"> {
  /** Whether a request of this kind has arrived. @param type kind of event that caused it, or "" for any */
  hasArrived(way: string, type: string): boolean;
  /** Arrivals since the connection was cut. @throws if it was not cut */
  sinceCut(): Arrivals;
  /** Time of the cut, by `performance.now()`; undefined if it was not cut. */
  cutAt(): number | undefined;
}

interface Arrivals {
  /** Paths of the requests. */
  requests: string[];
  /** Number of connections to the site and its other ports. */
  connections: number;
  datagrams: number;
}

const LISTENER = "onmessage = ({ data }) => fetch(data)";
const SHARED_LISTENER = `onconnect = ({ ports: [port] }) => { port.${LISTENER} }`;

/**
 * Site that records everything it receives. Its page must request `/held`, which stays open, so that the site notices when the connection is
 * cut.
 */
export async function openWatchedSite(body: (ports: Ports) => string): Promise<WatchedSite> {
  const counted = await openPorts();
  let cut: (Arrivals & { at: number }) | undefined;
  const arrivals = (): Arrivals => ({ requests: [...site.requests], connections: site.connections() + counted.arrived("preconnected") + counted.arrived("turn"), datagrams: counted.arrived("stun") + counted.arrived("quic") });
  const held: Handler = (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).write("x");
    response.once("close", () => (cut ??= { ...arrivals(), at: performance.now() }));
  };
  const site = await openSite({
    "/": { headers: { "content-type": "text/html", "content-security-policy": "base-uri 'none'; report-uri /out/violation/any" }, body: body(counted.ports) },
    "/far": `<title>Far</title><script>${LISTENER}</script>`,
    "/script/worker": { headers: { "content-type": "text/javascript", "service-worker-allowed": "/" }, body: LISTENER },
    "/script/shared": { headers: { "content-type": "text/javascript" }, body: SHARED_LISTENER },
    "/socket": webSocket(() => site.requests.push("/out/open-socket/any")),
    "/held": held,
  });
  return {
    ...{ port: site.port, url: site.url },
    hasArrived: (way, type) => counted.arrived(way) > 0 || site.requests.some((path) => path.startsWith(`/out/${way}/${type}`)),
    sinceCut() {
      if (!cut) throw new Error("The connection was not cut.");
      const { requests, connections, datagrams } = arrivals();
      return { requests: requests.slice(cut.requests.length), connections: connections - cut.connections, datagrams: datagrams - cut.datagrams };
    },
    cutAt: () => cut?.at,
    async close() {
      counted.close();
      await site.close();
    },
  };
}

/** Accepts a connection, and calls `onData` for each message (RFC 6455). */
function webSocket(onData: () => void): Handler {
  return ({ headers: { "sec-websocket-key": key }, socket }) => {
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.on("data", onData);
  };
}

/** Ports that count connections and datagrams, without answers. */
async function openPorts() {
  const arrived = new Map<string, number>();
  const count = (name: string) => arrived.set(name, (arrived.get(name) ?? 0) + 1);
  const tcp = ["preconnected", "turn"].map((name) => createServer((socket) => count(name) && socket.on("error", () => {})));
  const udp = ["stun", "quic"].map((name) => createSocket("udp4").on("message", () => count(name)));
  await Promise.all([
    ...tcp.map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    ...udp.map((socket) => new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))),
  ]);
  const [preconnected = 0, turn = 0] = tcp.map((server) => (server.address() as AddressInfo).port);
  const [stun = 0, quic = 0] = udp.map((socket) => socket.address().port);
  const ports: Ports = { preconnected, turn, stun, quic };
  return {
    ports,
    arrived: (name: string) => arrived.get(name) ?? 0,
    close() {
      for (const each of [...tcp, ...udp]) each.close();
    },
  };
}
